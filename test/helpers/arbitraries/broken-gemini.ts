import type { Mutation } from './broken.ts'
import { breakGeminiExchange } from './broken-gemini-exchanges.ts'
import { holdsPart, partsOfContent } from './gemini-reading.ts'
import { insertAt, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

/** No object; JSON.parse, as no conversation of objects could hold it otherwise. */
const STRAY: JsonObject = JSON.parse('"stray"')

/** Every single change that this file knows to break a Gemini conversation. */
export function breakGemini(contents: readonly JsonObject[], payload: JsonObject = {}): Mutation[] {
  const isThird = /gemini-[3-9]/.test(String(payload.model))
  return [
    {
      name: 'structure',
      write: () => insertAt(contents, 0, STRAY),
      faults: [{ rule: 'structure', pointer: '/contents/0' }],
    },
    {
      name: 'first-role',
      write: () => insertAt(contents, 0, { role: 'model', parts: [{ text: 'Hello.' }] }),
      faults: [{ rule: 'first-role', pointer: '/contents/0' }],
    },
    ...contents.flatMap((content, index) => [
      ...breakPlain(contents, content, index),
      ...breakGeminiExchange(contents, index),
    ]),
    ...(isThird ? breakSignatures(contents) : []),
  ]
}

/** Contents that neither call nor answer a call. */
function breakPlain(
  contents: readonly JsonObject[],
  content: JsonObject,
  index: number,
): Mutation[] {
  if (holdsPart(content, 'functionCall') || holdsPart(content, 'functionResponse')) return []
  const at = `/contents/${index}`
  const parts = partsOfContent(content)
  const change = (members: JsonObject) => replaceAt(contents, index, { ...content, ...members })
  const add = (part: JsonObject) => () => change({ parts: [...parts, part] })
  const added = `${at}/parts/${parts.length}`
  const empty: Mutation[] = [
    {
      name: 'empty-part',
      write: add(index % 2 === 0 ? { text: '' } : { thought: true }),
      faults: [{ rule: 'empty-part', pointer: added }],
    },
  ]
  if (content.role !== 'model') {
    const stray = { name: 'nobody', id: 'call_nobody', response: { output: 'stray' } }
    return [
      ...empty,
      {
        name: 'part-role',
        write: add({ executableCode: { language: 'PYTHON', code: 'pass' } }),
        faults: [{ rule: 'part-role', pointer: added }],
      },
      {
        name: 'result-without-call',
        write: add({ functionResponse: stray }),
        faults: [{ rule: 'result-without-call', pointer: added }],
      },
    ]
  }
  // A request without role or parts would also move the beginning of the current turn.
  return [
    ...empty,
    {
      name: 'known-role',
      write: () => change({ role: 'assistant' }),
      faults: [{ rule: 'known-role', pointer: `${at}/role` }],
    },
    {
      name: 'empty-content',
      write: () => change({ parts: [] }),
      faults: [{ rule: 'empty-content', pointer: `${at}/parts` }],
    },
    {
      name: 'code-result-without-code',
      write: add({ code_execution_result: { outcome: 'OUTCOME_OK', output: '36' } }),
      faults: [{ rule: 'code-result-without-code', pointer: added }],
    },
  ]
}

function breakSignatures(contents: readonly JsonObject[]): Mutation[] {
  const start = contents.findLastIndex(
    (content) => content.role !== 'model' && !holdsPart(content, 'functionResponse'),
  )
  return contents.flatMap((content, index) => {
    const parts = partsOfContent(content)
    const position = parts.findIndex((part) => holdsPart({ parts: [part] }, 'functionCall'))
    const call = parts[position]
    if (index <= start || call === undefined) return []
    const { thoughtSignature, thought_signature, ...unsigned } = call
    return [
      {
        name: 'thought-signature-missing',
        write: () =>
          replaceAt(contents, index, { ...content, parts: replaceAt(parts, position, unsigned) }),
        faults: [
          {
            rule: 'thought-signature-missing',
            pointer: `/contents/${index}/parts/${position}`,
          },
        ],
      },
    ]
  })
}
