import { faultyProbability } from '../../test/helpers/decide-servers/fault.ts'
import { GOOD_SUMMARY } from '../../test/helpers/summarizer-variables.ts'
import type { ModelDependency, ModelFault } from './model-servers.ts'
import { WAYS } from './ways.ts'

export interface ModelCell {
  readonly dependency: ModelDependency
  readonly name: string
  readonly fault: ModelFault
  /** Each must match something that the reports of the faulty phase say was done without. */
  readonly expected: readonly RegExp[]
  /** A server that answers, however badly, is not one to leave alone. */
  readonly opensBreaker: boolean
}

/** An attempt ends by its own time, or by that of the whole call. */
const SILENCE = 'timeout|deadline'

const SITES: Readonly<Record<ModelDependency, readonly string[]>> = {
  decide: ['relevance', 'summary-gate'],
  summarizer: ['summarize'],
}

function failing(
  dependency: ModelDependency,
  name: string,
  fault: ModelFault,
  reason: string,
): ModelCell {
  return {
    dependency,
    name,
    fault,
    expected: [
      ...SITES[dependency].map((site) => new RegExp(`^${site}: (${reason}|breaker-open)$`)),
      new RegExp(`: (${reason})$`),
    ],
    opensBreaker: true,
  }
}

function answering(
  dependency: ModelDependency,
  name: string,
  fault: ModelFault,
  ...expected: RegExp[]
): ModelCell {
  return { dependency, name, fault, expected, opensBreaker: false }
}

const wrong = (
  name: string,
  reason: string,
  make: (answer: object, id: string) => readonly [id: string, answer: object],
) =>
  answering(
    'decide',
    `wrong answers: ${name}`,
    { decide: { rewrite: rewriteAnswers(make) } },
    ...SITES.decide.map((site) => new RegExp(`^${site}: ${reason}$`)),
  )

const says = (name: string, text: string, expected: RegExp) =>
  answering(
    'summarizer',
    `wrong answers: ${name}`,
    { summarizer: { kind: 'summary', text } },
    expected,
  )

const DECIDE_CELLS: readonly ModelCell[] = [
  ...WAYS.map(({ name, way, isSilent }) =>
    failing('decide', name, { way }, isSilent ? SILENCE : 'network'),
  ),
  failing(
    'decide',
    '429 storm',
    { decide: { status: 429, headers: { 'retry-after': '1' } } },
    'rate-limit',
  ),
  failing('decide', '500 storm', { decide: { status: 500 } }, 'server'),
  answering(
    'decide',
    'garbage: 200 with bytes',
    { decide: 'garbage' },
    /^relevance: malformed-answer$/,
    /^summary-gate: malformed-answer$/,
  ),
  wrong('ids that nobody asked for', 'unanswered', (answer, id) => [`${id}-of-another`, answer]),
  // JSON has no word for it: the whole text is none.
  wrong('NaN', 'malformed-answer', (answer, id) => [
    id,
    { ...answer, noul: faultyProbability('nan') },
  ]),
  wrong('probability 1.5', 'unanswered', (answer, id) => [id, { ...answer, noul: 1.5 }]),
  wrong('probabilities as text', 'unanswered', (answer, id) => [id, { ...answer, noul: '0.01' }]),
  answering(
    'decide',
    'wrong answers: no to everything',
    { decide: { rewrite: rewriteAnswers((answer, id) => [id, { ...answer, noul: 0 }]) } },
    /^summarize: /,
  ),
]

const SUMMARIZER_CELLS: readonly ModelCell[] = [
  ...WAYS.map(({ name, way, isSilent }) =>
    failing('summarizer', name, { way }, isSilent ? SILENCE : 'network'),
  ),
  failing(
    'summarizer',
    '429 storm',
    { summarizer: { kind: 'error', status: 429, retryAfter: '1' } },
    'rate-limit',
  ),
  failing('summarizer', '500 storm', { summarizer: { kind: 'error', status: 500 } }, 'server'),
  answering(
    'summarizer',
    'garbage: 200 with a web page',
    { summarizer: { kind: 'garbage' } },
    /^summarize: malformed-response$/,
  ),
  answering(
    'summarizer',
    'garbage: half of the JSON',
    { summarizer: { kind: 'truncated-json' } },
    /^summarize: malformed-response$/,
  ),
  says('a refusal', 'I am sorry, but I cannot help with that.', /^summarize: refusal$/),
  says(
    'larger than what it replaces',
    'It was said again and again. '.repeat(120_000),
    /^summarize: (not-smaller|too-large)$/,
  ),
  says('without the constraints', GOOD_SUMMARY.replace(/^2\..*\n/m, ''), /^summarize: /),
  answering(
    'summarizer',
    'wrong answers: nothing',
    { summarizer: { kind: 'empty' } },
    /^summarize: empty$/,
  ),
  answering(
    'summarizer',
    'wrong answers: a tool call',
    { summarizer: { kind: 'tool-call' } },
    /^summarize: tool-call-only$/,
  ),
]

export const MODEL_CELLS: readonly ModelCell[] = [...DECIDE_CELLS, ...SUMMARIZER_CELLS]

/** System One's answers by their ids. */
function rewriteAnswers(
  make: (answer: object, id: string) => readonly [id: string, answer: object],
) {
  return (json: unknown): unknown => {
    const { answers, ...rest } = json as { answers?: Readonly<Record<string, object>> }
    // A refusal has none.
    if (answers === undefined) return json
    return {
      ...rest,
      answers: Object.fromEntries(Object.entries(answers).map(([id, answer]) => make(answer, id))),
    }
  }
}
