/** What a decision server does instead of answering well. */
export type Fault =
  /** Takes the request and never answers. */
  | 'hang'
  /** Sends the head, then the body a byte at a time. */
  | 'drip'
  /** Closes the connection with RST before anything is sent. */
  | 'reset'
  /** Announces the whole body, sends half of it, and closes. */
  | 'cut-off'
  /** 200 with bytes that are neither JSON nor UTF-8. */
  | 'garbage'
  /** 200 with a web page, as a captive portal answers. */
  | 'web-page'
  /** 200 without a body. */
  | 'empty'
  /** 200 with the first half of the JSON text, and a Content-Length that says so. */
  | 'truncated-json'
  /** 200 with more megabytes than an answer has. */
  | 'huge'
  /** 200 with JSON that has no answers in it. */
  | 'no-answers'
  | AnswerFault
  | {
      readonly status: number
      readonly headers?: HeaderMap
    }
  /** 200 with what this makes of a good answer. */
  | { readonly rewrite: (json: unknown) => unknown }
  | 'max-tokens'

/** 200 with a well-formed body in which the first answer, or all of them, is not one. */
export type AnswerFault =
  | 'nan'
  | 'null'
  | 'string'
  | 'above-one'
  | 'below-zero'
  | 'missing-ids'
  | 'wrong-types'

export type HeaderMap = Readonly<Record<string, string>>

const ANSWER_FAULTS: readonly AnswerFault[] = [
  'nan',
  'null',
  'string',
  'above-one',
  'below-zero',
  'missing-ids',
  'wrong-types',
]

export function isAnswerFault(fault: Fault): fault is AnswerFault {
  return ANSWER_FAULTS.some((known) => known === fault)
}

/** Whether no answer comes in time: a client has to give up by itself. */
export function isSilent(fault: Fault): boolean {
  return fault === 'hang' || fault === 'drip'
}

/** Stands for NaN until the text is written: JSON has no word for it, careless servers do. */
const NAN_MARK = '@@NaN@@'

/** The value that a probability becomes. */
export function faultyProbability(fault: AnswerFault): unknown {
  switch (fault) {
    case 'nan':
      return NAN_MARK
    case 'null':
      return null
    case 'string':
      return '0.01'
    case 'above-one':
      return 1.5
    case 'below-zero':
      return -5
    default:
      return 0.01
  }
}

export function stringifyWithNaN(value: unknown): string {
  return JSON.stringify(value).replaceAll(`"${NAN_MARK}"`, 'NaN')
}
