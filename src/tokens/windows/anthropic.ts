import type { WindowRow } from './row.ts'

/**
 * Sonnet 4 and 4.5 reach a million tokens only with a beta header that the model's name does not
 * show, so they stand at 200,000.
 */
export const ANTHROPIC: readonly WindowRow[] = [
  {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    origin: 'pi-ai',
    models: [
      'claude-fable-5',
      'claude-fable-5-1',
      'claude-fable-5-2',
      'claude-haiku-5-5',
      'claude-opus-4-6',
      'claude-opus-4-7',
      'claude-opus-4-8',
      'claude-opus-5',
      'claude-opus-5-5',
      'claude-sonnet-4-6',
      'claude-sonnet-5',
      'claude-sonnet-5-5',
    ],
  },
  {
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    origin: 'pi-ai',
    models: ['claude-haiku-4-5', 'claude-opus-4-5', 'claude-sonnet-4', 'claude-sonnet-4-5'],
  },
  {
    contextWindow: 200_000,
    maxOutputTokens: 32_000,
    origin: 'tokenlens',
    models: ['claude-opus-4', 'claude-opus-4-1'],
  },
  {
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    origin: 'tokenlens',
    models: ['claude-3-7-sonnet'],
  },
  {
    contextWindow: 200_000,
    maxOutputTokens: 8_192,
    origin: 'tokenlens',
    models: ['claude-3-5-haiku', 'claude-3-5-sonnet'],
  },
  {
    contextWindow: 200_000,
    maxOutputTokens: 4_096,
    origin: 'tokenlens',
    models: ['claude-3-haiku', 'claude-3-opus', 'claude-3-sonnet'],
  },
  {
    contextWindow: 100_000,
    maxOutputTokens: 4_096,
    origin: 'tokenlens',
    models: ['claude-instant'],
  },
]
