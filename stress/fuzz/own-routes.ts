import type { SeededRandom } from '../../test/helpers/seeded-random.ts'
import { membersOf, requestOf } from '../../test/property/support/run-case.ts'
import { drawCase } from './draw-conversation.ts'
import type { Draft, JsonRecord } from './types.ts'

/** Windows of the service under test: one that most conversations outgrow, one that some do. */
export const MODELS = { small: 'fuzz-small', middle: 'fuzz-middle' } as const

export const MODEL_WINDOWS = JSON.stringify({
  [MODELS.small]: { contextWindow: 1_500, maxOutputTokens: 200 },
  [MODELS.middle]: { contextWindow: 12_000, maxOutputTokens: 1_000 },
})

const JSON_HEADERS = { 'content-type': 'application/json' }

/** Rough: a target that is off by a half is as good a target. */
const BYTES_PER_TOKEN = 4

const post = (path: string, body: unknown, rest: Partial<Draft> = {}): Draft => ({
  surface: 'own',
  method: 'POST',
  path,
  headers: JSON_HEADERS,
  body,
  ...rest,
})

/** A share of the tokens of a conversation, never none. */
export function drawTarget(random: SeededRandom, conversation: unknown): number {
  const tokens = JSON.stringify(conversation).length / BYTES_PER_TOKEN
  return Math.max(1, Math.round(tokens * (0.02 + 1.1 * random.next())))
}

/** Named most of the time: detection may rightly call a conversation ambiguous. */
const NAMED = 0.9

export function compactDraft(random: SeededRandom): Draft {
  const sketch = drawCase(random)
  const { format, ...request } = requestOf(sketch)
  const isNamed = random.chance(NAMED)
  const body: JsonRecord = {
    ...request,
    ...(isNamed && { format }),
    targetTokens: drawTarget(random, sketch.payload),
    ...drawBudget(random),
    ...(random.chance(0.1) && { lowWater: random.pick([0, 0.5, 0.9, 1]) }),
    ...(random.chance(0.1) && { maxBytes: 1 + random.below(60_000) }),
    ...(random.chance(0.1) && { dryRun: random.chance(0.8) }),
    ...(random.chance(0.3) && { explain: random.pick(['none', 'changed', 'all']) }),
    ...(random.chance(0.1) && { record: true }),
  }
  return post('/compact', body, {
    format: sketch.format,
    // What is not named may be ambiguous; 503 is the answer to too much at once.
    statuses: isNamed ? [200, 503] : [200, 422, 503],
  })
}

/** Sizes by the budget instead of a target. */
function drawBudget(random: SeededRandom): JsonRecord {
  if (!random.chance(0.15)) return {}
  return {
    targetTokens: undefined,
    ...(random.chance(0.5)
      ? { model: random.pick(Object.values(MODELS)) }
      : { contextWindow: 300 + random.below(20_000), maxOutputTokens: 1 + random.below(200) }),
    ...(random.chance(0.3) && { compactionThreshold: random.pick([0.01, 0.3, 0.8, 1]) }),
    ...(random.chance(0.2) && { files: [{ tokens: random.below(500) }, 'a file', { text: 'b' }] }),
  }
}

export function checkDraft(random: SeededRandom): Draft {
  const { format, payload } = drawCase(random)
  const isNamed = random.chance(NAMED)
  return post(
    '/check',
    { ...payload, ...(isNamed && { format }) },
    { format, statuses: isNamed ? [200, 503] : [200, 422, 503] },
  )
}

export function budgetDraft(random: SeededRandom): Draft {
  const { format, payload, currentRequest } = drawCase(random)
  const body = {
    ...membersOf(payload),
    format,
    ...(typeof currentRequest === 'string' && { currentRequest }),
    ...drawBudget(random),
  }
  return post('/budget', body, { format, statuses: [200, 503] })
}

export function summaryCheckDraft(random: SeededRandom): Draft {
  const { format, payload } = drawCase(random)
  const summary = random.pick([
    '',
    'I cannot help with that.',
    '## Task\nFix the retry budget.\n## Constraints\nNever touch production tables.',
    'x'.repeat(random.below(3_000)),
  ])
  const body = {
    ...membersOf(payload),
    format,
    summary,
    ...(random.chance(0.3) && { minRejectConfidence: random.pick([0, 0.6, 1]) }),
  }
  return post('/summary-check', body, { format, statuses: [200, 503] })
}
