/** What Kong's AI Prompt Compressor needs of its compress service: each text back, by its id, not grown. */
interface Posted {
  readonly msg_id: number | string
  readonly text: string
}

interface Compressed {
  readonly msg_id: number | string
  readonly compress_prompt: string
  readonly compressor_results: Readonly<Record<string, unknown>>
}

export function acceptCompressed(body: string, posted: readonly Posted[]): readonly Compressed[] {
  const { text, duration } = JSON.parse(body) as { text: Compressed[]; duration: number }
  if (typeof duration !== 'number' || duration < 0) throw new Error('the duration is no number')
  if (text.map(({ msg_id: id }) => id).join() !== posted.map(({ msg_id: id }) => id).join()) {
    throw new Error('the ids are not those that were posted')
  }
  for (const { msg_id: id, compress_prompt: prompt, compressor_results: results } of text) {
    if (typeof prompt !== 'string') throw new Error(`text ${id} is missing`)
    const { original_token_count: before, compress_token_count: after } = results
    if (results.msg_id !== id) throw new Error(`the results of ${id} are another's`)
    if (
      Number(before) - Number(after) !== results.save_token_count ||
      Number(after) > Number(before)
    ) {
      throw new Error(`the counts of ${id} do not add up`)
    }
  }
  return text
}
