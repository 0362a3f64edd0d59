/**
 * What a tool exchange was about, read from its call as the engine shows it: `read_file({"path":"src/a.ts"})`. The
 * call stands before the result, so that no result can pass for one.
 */
export interface ToolCall {
  /** Tool and arguments as one: the same call again gives what the first has given, as it is then. */
  readonly key: string
}

/** Units of an exchange's text in which its call is looked for. */
const HEAD_LENGTH = 4_096
/** Units of a call that tell it apart. */
const CALL_LENGTH = 400

const CALL = /^[\p{L}_][\w.:-]{0,127}\([{[)]/mu

export function readToolCall(text: string): ToolCall | undefined {
  const head = text.slice(0, HEAD_LENGTH)
  const start = head.search(CALL)
  if (start < 0) return undefined
  const end = head.indexOf('\n', start)
  return { key: head.slice(start, Math.min(end < 0 ? head.length : end, start + CALL_LENGTH)) }
}
