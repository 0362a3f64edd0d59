import type { ConversationPayload } from '../../helpers/arbitraries/index.ts'

type Item = Record<string, unknown>

const record = (value: unknown): Item =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** Names of everything of interest in a Gemini conversation, to see what the generator reaches. */
export function geminiTraitsOf(payload: ConversationPayload): Set<string> {
  const contents = payload.contents ?? []
  const parts = contents.map((content): Item[] =>
    Array.isArray(content.parts) ? content.parts : [],
  )
  const all = parts.flat()
  const spelled = (camel: string, snake: string) => (part: Item) => part[camel] ?? part[snake]
  const callOf = spelled('functionCall', 'function_call')
  const responseOf = spelled('functionResponse', 'function_response')
  const signatureOf = spelled('thoughtSignature', 'thought_signature')
  const resultOf = spelled('codeExecutionResult', 'code_execution_result')
  const calls = parts.map((own) => own.flatMap((part) => callOf(part) ?? []).map(record))
  const responses = all.flatMap((part) => responseOf(part) ?? []).map(record)
  const open = calls.flat().length - responses.length > 0
  const last = parts.at(-1) ?? []
  const endsWithResponse = last.some((part) => responseOf(part) !== undefined)
  const json = JSON.stringify(payload)
  const has = (...names: string[]) => names.some((name) => json.includes(`"${name}":`))

  const seen: [string, boolean][] = [
    ['camelCase', has('functionCall', 'inlineData', 'thoughtSignature', 'systemInstruction')],
    ['snake_case', has('function_call', 'inline_data', 'thought_signature', 'system_instruction')],
    [
      'both spellings',
      has('functionCall', 'functionResponse') && has('function_call', 'function_response'),
    ],
    ['system instruction', has('systemInstruction', 'system_instruction')],
    ['Gemini 3', String(payload.model).includes('gemini-3')],
    ['no model', payload.model === undefined],
    ['no role', contents.some(({ role }) => role === undefined)],
    ['role function', contents.some(({ role }) => role === 'function')],
    ['parallel calls', calls.some((own) => own.length > 1)],
    ['calls with id', calls.flat().some(({ id }) => id !== undefined)],
    ['reused call ids', reuses(calls.flat().map(({ id }) => id))],
    ['no reused call ids', calls.flat().length > 3 && !reuses(calls.flat().map(({ id }) => id))],
    ['calls without id', calls.flat().some(({ id }) => id === undefined)],
    [
      'calls with and without id beside each other',
      calls.some((own) => new Set(own.map(({ id }) => typeof id)).size > 1),
    ],
    ['calls of one name without id', calls.some(sharesName)],
    ['call without args', calls.flat().some(({ args }) => args === undefined)],
    ['responses by id', responses.some(({ id }) => id !== undefined)],
    ['responses by name', responses.some(({ id }) => id === undefined)],
    [
      'responses without the id of their call',
      calls.flat().filter(({ id }) => id !== undefined).length >
        responses.filter(({ id }) => id !== undefined).length && !open,
    ],
    ['media in a response', responses.some((response) => response.parts !== undefined)],
    [
      'media beside responses',
      parts.some(
        (own) =>
          own.some((part) => responseOf(part) !== undefined) &&
          own.some((part) => part.text !== undefined),
      ),
    ],
    [
      'responses with an id of their own',
      responses.some(({ id }) => typeof id === 'string' && !id.startsWith('call_')),
    ],
    ['error response', responses.some(({ response }) => record(response).error !== undefined)],
    [
      'empty response',
      responses.some(({ response }) => Object.keys(record(response)).length === 0),
    ],
    ['big integer', json.includes('9007199254740992') && json.includes('"12345678901234567890"')],
    [
      'signed call',
      all.some((part) => callOf(part) !== undefined && signatureOf(part) !== undefined),
    ],
    [
      'unsigned call',
      calls.some(
        (own, index) =>
          own.length > 0 && !parts[index]?.some((part) => signatureOf(part) !== undefined),
      ),
    ],
    [
      'signed text',
      all.some(
        (part) => part.text !== undefined && part.text !== '' && signatureOf(part) !== undefined,
      ),
    ],
    ['signed empty text', all.some((part) => part.text === '' && signatureOf(part) !== undefined)],
    ['thought', all.some((part) => part.thought === true)],
    [
      'signed thought',
      all.some((part) => part.thought === true && signatureOf(part) !== undefined),
    ],
    ['inline data of the user', has('inlineData', 'inline_data')],
    ['file data', has('fileData', 'file_data')],
    ['code', has('executableCode', 'executable_code')],
    [
      'two results of one code',
      parts.some((own) => own.filter((part) => resultOf(part) !== undefined).length > 1),
    ],
    ['code with id', all.some((part) => record(resultOf(part)).id !== undefined)],
    ['server tool', has('toolCall', 'tool_call')],
    ['unknown part', has('x_widget', 'x_note')],
    [
      'unknown members',
      contents.some((content) => Object.keys(content).some((key) => key.startsWith('x_'))),
    ],
    ['pending tail', open],
    ['partly answered tail', open && endsWithResponse],
    ['ends with responses', !open && endsWithResponse],
  ]
  return new Set(seen.filter(([, isSeen]) => isSeen).map(([name]) => name))
}

function sharesName(calls: readonly Item[]): boolean {
  return reuses(calls.filter(({ id }) => id === undefined).map(({ name }) => name))
}

function reuses(ids: readonly unknown[]): boolean {
  const known = ids.filter((id) => id !== undefined)
  return new Set(known).size < known.length
}
