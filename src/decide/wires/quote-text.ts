/** Characters that some readers take for the end of a line and JSON leaves as they are. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g

/**
 * A text as a JSON string on a line of its own. Whatever the text holds, it cannot end the quotation
 * or begin a line that could be taken for the structure around it.
 */
export function quoteText(text: string): string {
  return JSON.stringify(text).replace(
    LINE_ENDS,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const PLAIN_NAME = /^[\w.-]{1,64}$/

/** A name as it is, or quoted where it could be taken for something else. */
export function quoteName(name: string): string {
  return PLAIN_NAME.test(name) ? name : quoteText(name)
}
