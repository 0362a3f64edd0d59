import { TINY_PNG } from './media.ts'
import type { SaySketch } from './scenario.ts'
import { writeText } from './texts.ts'
import type { JsonObject } from './types.ts'

const PICTURE = `data:image/png;base64,${TINY_PNG}`

export function inputImage(extra: JsonObject = {}): JsonObject {
  return { type: 'input_image', image_url: PICTURE, detail: 'low', ...extra }
}

export function requestContent(say: SaySketch): string | JsonObject[] {
  const { shape, cached, partExtra } = say.style
  const part = { type: 'input_text', text: writeText(say.text), ...partExtra }
  switch (shape) {
    case 'string':
      return writeText(say.text)
    case 'parts':
      return [part]
    case 'many-parts':
      return [{ type: 'input_text', text: 'Context:' }, part]
    case 'image':
      return [part, inputImage(partExtra)]
    case 'unknown-part':
      return [{ type: 'x_widget', state: { open: true }, ...partExtra }, part]
    case 'special':
      return [part, cached ? { type: 'input_file', file_id: 'file_1' } : textFile(partExtra)]
  }
}

function textFile(extra: JsonObject): JsonObject {
  const data = 'data:text/plain;base64,YSBub3RlCg=='
  return { type: 'input_file', filename: 'note.txt', file_data: data, ...extra }
}

/** Parts of a message that the model wrote: text with where it comes from, or a refusal. */
export function answerContent(say: SaySketch): JsonObject[] {
  const { shape, named, partExtra } = say.style
  const text = writeText(say.text)
  const annotations = named ? [citation(text)] : []
  const part = { type: 'output_text', text, annotations, logprobs: [], ...partExtra }
  switch (shape) {
    case 'many-parts':
      return [{ type: 'output_text', text: 'First:', annotations: [] }, part]
    case 'unknown-part':
      return [part, { type: 'x_note', ...partExtra }]
    case 'special':
      return [{ type: 'refusal', refusal: text, ...partExtra }]
    default:
      return [part]
  }
}

function citation(text: string): JsonObject {
  const [start, end] = [0, text.length]
  return {
    type: 'url_citation',
    start_index: start,
    end_index: end,
    url: 'https://example.com/a',
    title: 'A',
  }
}
