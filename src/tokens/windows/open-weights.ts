import type { WindowRow } from './row.ts'

/**
 * Open weights are served by many hosts with different windows. The smaller of those in common use
 * stands here: a window believed too small compacts early, one believed too large fails the call.
 */
export const OPEN_WEIGHTS: readonly WindowRow[] = [
  // Qwen, GLM, Kimi, MiniMax
  {
    contextWindow: 991_000,
    maxOutputTokens: 64_000,
    origin: 'pi-ai',
    models: ['qwen3.7-flash', 'qwen3.7-max'],
  },
  { contextWindow: 991_000, maxOutputTokens: 128_000, origin: 'pi-ai', models: ['qwen3.8-flash'] },
  { contextWindow: 1_000_000, maxOutputTokens: 131_072, origin: 'pi-ai', models: ['qwen4-max'] },
  {
    contextWindow: 262_144,
    origin: 'pi-ai',
    models: ['qwen3.5-plus', 'qwen3.6-plus', 'qwen3.8-max'],
  },
  { contextWindow: 131_072, origin: 'pi-ai', models: ['qwen3.8-27b', 'qwen3.6-27b'] },
  {
    contextWindow: 32_768,
    maxOutputTokens: 16_384,
    origin: 'pi-ai',
    models: ['qwen3-32b', 'qwen-2.5-72b-instruct'],
  },
  {
    contextWindow: 40_960,
    origin: 'pi-ai',
    models: ['qwen3-8b', 'qwen3-14b', 'qwen3-30b-a3b', 'qwen3-235b-a22b'],
  },
  { contextWindow: 131_072, origin: 'pi-ai', models: ['qwen3-235b-a22b-2507'] },
  { contextWindow: 262_144, origin: 'pi-ai', models: ['qwen3-30b-a3b-instruct-2507'] },
  {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    origin: 'pi-ai',
    models: ['glm-5.3'],
  },
  { contextWindow: 262_144, maxOutputTokens: 131_072, origin: 'pi-ai', models: ['glm-5.2'] },
  {
    contextWindow: 1_000_000,
    maxOutputTokens: 131_000,
    origin: 'pi-ai',
    models: ['glm-5.3-flash'],
  },
  { contextWindow: 202_752, origin: 'pi-ai', models: ['glm-5', 'glm-5.1'] },
  { contextWindow: 200_000, maxOutputTokens: 131_072, origin: 'pi-ai', models: ['glm-5-turbo'] },
  {
    contextWindow: 202_752,
    maxOutputTokens: 131_072,
    origin: 'pi-ai',
    models: ['glm-4.6', 'glm-4.7'],
  },
  { contextWindow: 131_072, origin: 'pi-ai', models: ['glm-4.5', 'glm-4.5-air', 'glm-4.7-flash'] },
  { contextWindow: 65_536, maxOutputTokens: 16_384, origin: 'pi-ai', models: ['glm-4.5v'] },
  {
    contextWindow: 1_000_000,
    maxOutputTokens: 131_072,
    origin: 'pi-ai',
    models: ['kimi-k3', 'kimi-k3.1-pro'],
  },
  { contextWindow: 256_000, origin: 'pi-ai', models: ['kimi-k2.5', 'kimi-k2.7-code'] },
  { contextWindow: 262_000, origin: 'pi-ai', models: ['kimi-k2.6'] },
  { contextWindow: 262_144, origin: 'pi-ai', models: ['kimi-k2-0905', 'kimi-k2-thinking'] },
  { contextWindow: 131_072, origin: 'pi-ai', models: ['kimi-k2'] },
  { contextWindow: 512_000, maxOutputTokens: 128_000, origin: 'pi-ai', models: ['minimax-m3'] },
  { contextWindow: 204_608, origin: 'pi-ai', models: ['minimax-m2'] },
  {
    contextWindow: 196_608,
    origin: 'pi-ai',
    models: ['minimax-m2.1', 'minimax-m2.5', 'minimax-m2.7'],
  },
  // Llama
  { contextWindow: 60_000, origin: 'pi-ai', models: ['llama-3.2-1b-instruct'] },
  { contextWindow: 80_000, origin: 'pi-ai', models: ['llama-3.2-3b-instruct'] },
  {
    contextWindow: 131_072,
    origin: 'pi-ai',
    models: ['llama-3.1-8b-instant', 'llama-3.3-70b-versatile'],
  },
  {
    contextWindow: 128_000,
    origin: 'tokenlens',
    models: ['llama-3.1-8b-instruct', 'llama-3.1-70b-instruct'],
  },
  {
    contextWindow: 128_000,
    origin: 'pi-ai',
    models: [
      'llama-3.3-70b-instruct',
      'llama3-1-8b-instruct',
      'llama3-1-70b-instruct',
      'llama3-3-70b-instruct',
      'llama-4-maverick',
      'llama-4-scout',
    ],
  },
]
