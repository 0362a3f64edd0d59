import type { LlmFault } from '../../test/helpers/llm-servers/llm-fault.ts'
import type { WayFault } from './link.ts'
import { WAYS } from './ways.ts'

/** What a caller of the proxy is promised while the upstream has a fault. */
export type UpstreamPromise =
  /** A problem document of Precis. */
  | { readonly kind: 'problem'; readonly status: number; readonly code: string }
  /** Status and bytes of the provider, as who asks it directly gets them. */
  | { readonly kind: 'same-answer' }
  /** The head, and then a connection that breaks: never a clean end. */
  | { readonly kind: 'broken' }
  /** What comes as it comes, for as long as the caller stays. */
  | { readonly kind: 'bytes-until-leaving' }

export interface UpstreamCell {
  readonly dependency: 'upstream'
  readonly name: string
  readonly fault: { readonly way: WayFault } | { readonly llm: LlmFault }
  readonly promise: UpstreamPromise
}

const UNREACHABLE = { kind: 'problem', status: 502, code: 'upstream-unreachable' } as const
const TIMEOUT = { kind: 'problem', status: 504, code: 'upstream-timeout' } as const

const cell = (
  name: string,
  fault: UpstreamCell['fault'],
  promise: UpstreamPromise,
): UpstreamCell => ({ dependency: 'upstream', name, fault, promise })

export const UPSTREAM_CELLS: readonly UpstreamCell[] = [
  ...WAYS.map(({ name, way, isSilent }) => cell(name, { way }, isSilent ? TIMEOUT : UNREACHABLE)),
  cell(
    '1 byte/s behind the head',
    { llm: { kind: 'trickle', everyMs: 1_000 } },
    { kind: 'bytes-until-leaving' },
  ),
  cell('reset in the middle', { llm: { kind: 'reset-mid-answer' } }, { kind: 'broken' }),
  cell(
    '429 storm',
    { llm: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } },
    { kind: 'same-answer' },
  ),
  cell('500 storm', { llm: { kind: 'status', status: 500 } }, { kind: 'same-answer' }),
  cell(
    'wrong answers: a web page',
    { llm: { kind: 'raw', status: 200, body: '<!doctype html><p>Please sign in</p>' } },
    { kind: 'same-answer' },
  ),
  cell(
    'wrong answers: JSON of no API',
    {
      llm: {
        kind: 'raw',
        status: 200,
        body: '{"object":"nonsense","choices":17,"usage":null}',
        headers: { 'content-type': 'application/json' },
      },
    },
    { kind: 'same-answer' },
  ),
  cell(
    'wrong answers: half of a JSON',
    {
      llm: {
        kind: 'raw',
        status: 200,
        body: '{"id":"chatcmpl-1","choices":[{"index":0,"mess',
        headers: { 'content-type': 'application/json' },
      },
    },
    { kind: 'same-answer' },
  ),
]
