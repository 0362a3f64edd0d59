/**
 * Open models that are served without a reasoning parser write their thoughts into the answer itself,
 * between tags (DeepSeek R1, QwQ, Qwen3). Those thoughts are no summary.
 */
const REASONING_TAGS = ['think', 'thinking'] as const

/**
 * Removes the reasoning block that opens an answer. Three shapes are known: `<think>…</think>` at the
 * start; the same without an end, when the output limit was reached while thinking (nothing remains);
 * and an end alone, when the chat template has already written the opening tag into the prompt. The
 * last counts only on a line of its own, so that a summary which mentions the tag keeps its text.
 */
export const stripReasoning = (text: string): string => {
  const start = text.trimStart()
  for (const tag of REASONING_TAGS) {
    const open = `<${tag}>`
    const close = `</${tag}>`
    if (start.startsWith(open)) {
      const end = start.indexOf(close, open.length)
      return end === -1 ? '' : start.slice(end + close.length).trimStart()
    }
    if (start.startsWith(close)) return start.slice(close.length).trimStart()
    const line = `\n${close}\n`
    const end = text.indexOf(line)
    if (end !== -1 && !text.slice(0, end).includes(open)) {
      return text.slice(end + line.length).trimStart()
    }
  }
  return text
}
