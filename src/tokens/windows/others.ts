import type { WindowRow } from './row.ts'

/** xAI, DeepSeek, Mistral, Amazon and Cohere. */
export const OTHERS: readonly WindowRow[] = [
  // xAI
  { contextWindow: 1_000_000, maxOutputTokens: 30_000, origin: 'pi-ai', models: ['grok-4.3'] },
  { contextWindow: 500_000, origin: 'pi-ai', models: ['grok-4.5', 'grok-4.6', 'grok-4.7'] },
  { contextWindow: 256_000, origin: 'pi-ai', models: ['grok-build-0.1'] },
  {
    contextWindow: 256_000,
    maxOutputTokens: 64_000,
    origin: 'tokenlens',
    models: ['grok-4'],
  },
  {
    contextWindow: 256_000,
    maxOutputTokens: 10_000,
    origin: 'tokenlens',
    models: ['grok-code-fast-1'],
  },
  {
    contextWindow: 131_072,
    maxOutputTokens: 8_192,
    origin: 'tokenlens',
    models: ['grok-2', 'grok-3', 'grok-3-fast', 'grok-3-mini', 'grok-3-mini-fast'],
  },
  {
    contextWindow: 8_192,
    maxOutputTokens: 4_096,
    origin: 'tokenlens',
    models: ['grok-2-vision', 'grok-vision-beta'],
  },
  // DeepSeek
  {
    contextWindow: 1_000_000,
    maxOutputTokens: 384_000,
    origin: 'pi-ai',
    models: ['deepseek-flash', 'deepseek-v4-flash', 'deepseek-v4-pro', 'deepseek-v4.1-flash'],
  },
  {
    contextWindow: 128_000,
    origin: 'tokenlens',
    models: ['deepseek-chat', 'deepseek-reasoner', 'deepseek-v3.1'],
  },
  { contextWindow: 128_000, maxOutputTokens: 8_000, origin: 'pi-ai', models: ['deepseek-v3.2'] },
  { contextWindow: 64_000, maxOutputTokens: 8_192, origin: 'pi-ai', models: ['deepseek-v3'] },
  { contextWindow: 64_000, maxOutputTokens: 32_768, origin: 'pi-ai', models: ['deepseek-r1'] },
  // Mistral
  {
    contextWindow: 524_288,
    maxOutputTokens: 262_144,
    origin: 'pi-ai',
    models: ['mistral-large-4'],
  },
  {
    contextWindow: 262_144,
    origin: 'pi-ai',
    models: [
      'devstral-2512',
      'devstral-latest',
      'devstral-medium-latest',
      'ministral-8b-2512',
      'ministral-14b-2512',
      'mistral-large-2512',
      'mistral-medium-2508',
      'mistral-medium-2604',
      'mistral-medium-3.5',
      'mistral-medium-latest',
      'mistral-small-2603',
      'mistral-small-latest',
    ],
  },
  {
    contextWindow: 256_000,
    origin: 'neurolink',
    models: ['codestral-2508', 'codestral-latest', 'mistral-large-latest'],
  },
  {
    contextWindow: 262_144,
    maxOutputTokens: 16_384,
    origin: 'pi-ai',
    models: ['magistral-medium-latest'],
  },
  {
    contextWindow: 131_072,
    origin: 'pi-ai',
    models: [
      'ministral-3b-2512',
      'ministral-3b-latest',
      'mistral-large-2407',
      'mistral-medium-2505',
    ],
  },
  {
    contextWindow: 128_000,
    origin: 'pi-ai',
    models: ['mistral-small-2506', 'open-mistral-nemo', 'pixtral-12b'],
  },
  {
    contextWindow: 32_768,
    origin: 'pi-ai',
    models: [
      'mistral-saba',
      'voxtral-mini-3b',
      'voxtral-small-24b',
      'voxtral-small-2507',
      'voxtral-small-latest',
    ],
  },
  { contextWindow: 65_536, origin: 'pi-ai', models: ['mixtral-8x22b-instruct'] },
  // Amazon and Cohere
  { contextWindow: 1_000_000, maxOutputTokens: 65_535, origin: 'pi-ai', models: ['nova-2-lite'] },
  { contextWindow: 1_000_000, maxOutputTokens: 10_000, origin: 'pi-ai', models: ['nova-premier'] },
  {
    contextWindow: 300_000,
    maxOutputTokens: 5_120,
    origin: 'pi-ai',
    models: ['nova-lite', 'nova-pro'],
  },
  { contextWindow: 128_000, maxOutputTokens: 5_120, origin: 'pi-ai', models: ['nova-micro'] },
  { contextWindow: 256_000, maxOutputTokens: 8_000, origin: 'pi-ai', models: ['command-a'] },
  { contextWindow: 192_000, maxOutputTokens: 64_000, origin: 'pi-ai', models: ['command-a-plus'] },
  {
    contextWindow: 128_000,
    maxOutputTokens: 4_000,
    origin: 'pi-ai',
    models: ['command-r-08-2024', 'command-r-plus-08-2024', 'command-r7b-12-2024'],
  },
]
