import { type ConversationPayload, itemsOf } from '../../helpers/arbitraries/index.ts'

type Item = Record<string, unknown>

const listOf = (value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** Types of items and parts, and everything else of interest in a Responses conversation. */
export function openaiResponsesTraitsOf(payload: ConversationPayload): Set<string> {
  const items = itemsOf(payload)
  const json = JSON.stringify(payload)
  const parts = items.flatMap(({ content, output }) => [...listOf(content), ...listOf(output)])
  const messages = items.filter(({ role, type }) => role !== undefined && isMessage(type))
  const asked = items.flatMap((item) => idOfCall(item) ?? [])
  const answers = items.filter(isResult)
  const last = items.at(-1) ?? {}
  const isOpen = asked.length > answers.length
  const after = (index: number) => items[index + 1]?.type
  const texts = answers.map(({ output }) => JSON.stringify(output) ?? '')

  const seen: [string, boolean][] = [
    ...items.map(({ type }): [string, boolean] => [`item ${type}`, true]),
    ...parts.map(({ type }): [string, boolean] => [`part ${type}`, true]),
    ['string input', typeof payload.input === 'string'],
    ['instructions', payload.instructions !== undefined],
    ['message with type', messages.some(({ type }) => type === 'message')],
    ['message without type', messages.some(({ type }) => type === undefined)],
    ['text content', messages.some(({ content }) => typeof content === 'string')],
    ['reference without type', items.some(({ type, role }) => type === role)],
    ['system or developer', messages.some(({ role }) => role === 'system' || role === 'developer')],
    ['encrypted reasoning', items.some((item) => item.type === 'reasoning' && isSealed(item))],
    ['open reasoning', items.some((item) => item.type === 'reasoning' && !isSealed(item))],
    ['reasoning in a row', items.some(({ type }, at) => type === after(at) && isThought(type))],
    ['reasoning before a call', items.some(({ type }, at) => isThought(type) && isCall(after(at)))],
    ['parallel calls', items.some(({ type }, at) => isCall(type) && isCall(after(at)))],
    ['annotations', parts.some(({ annotations }) => listOf(annotations).length > 0)],
    ['output of parts', answers.some(({ output }) => Array.isArray(output))],
    ['hosted tool search', items.some(({ execution }) => execution === 'server')],
    ['local shell output by id', items.some(isNamedByItem)],
    ['pending tail', isOpen],
    ['partly answered tail', isOpen && isResult(last)],
    ['ends with results', !isOpen && isResult(last)],
    ['ends with a request', last.role === 'user'],
    ['image', json.includes('iVBORw0')],
    ['unknown members', items.some((item) => Object.keys(item).some((key) => /^x_/.test(key)))],
    ['own __proto__', json.includes('"__proto__"')],
    ['big number', json.includes('1e+21')],
    ['identical results', new Set(texts).size < texts.length],
    ['short result', texts.some((text) => text.length < 10)],
    ['error result', texts.some((text) => text.includes('failed with status'))],
    ['item over 10k', items.some((item) => JSON.stringify(item).length > 10_000)],
  ]
  return new Set(seen.filter(([, isSeen]) => isSeen).map(([name]) => name))
}

/** Least share of conversations with a trait, some way below what was measured. */
export const OPENAI_RESPONSES_SHARES: Readonly<Record<string, number>> = {
  'item message': 0.7,
  'item reasoning': 0.5,
  'item function_call': 0.45,
  'item function_call_output': 0.4,
  'item custom_tool_call': 0.04,
  'item custom_tool_call_output': 0.04,
  'item shell_call': 0.1,
  'item shell_call_output': 0.08,
  'item local_shell_call': 0.04,
  'item local_shell_call_output': 0.04,
  'item apply_patch_call': 0.05,
  'item apply_patch_call_output': 0.04,
  'item computer_call': 0.04,
  'item computer_call_output': 0.03,
  'item tool_search_call': 0.07,
  'item tool_search_output': 0.04,
  'item mcp_approval_request': 0.03,
  'item mcp_approval_response': 0.03,
  'item mcp_call': 0.015,
  'item mcp_list_tools': 0.08,
  'item web_search_call': 0.07,
  'item file_search_call': 0.015,
  'item code_interpreter_call': 0.08,
  'item image_generation_call': 0.1,
  'item x_weather_call': 0.1,
  'item compaction': 0.04,
  'item item_reference': 0.03,
  'item additional_tools': 0.02,
  'part input_text': 0.5,
  'part input_image': 0.25,
  'part input_file': 0.2,
  'part output_text': 0.5,
  'part refusal': 0.2,
  'part x_widget': 0.2,
  'part x_note': 0.2,
  'string input': 0.005,
  instructions: 0.15,
  'message with type': 0.7,
  'message without type': 0.7,
  'text content': 0.5,
  'reference without type': 0.03,
  'system or developer': 0.3,
  'encrypted reasoning': 0.4,
  'open reasoning': 0.4,
  'reasoning in a row': 0.25,
  'reasoning before a call': 0.25,
  'parallel calls': 0.3,
  annotations: 0.25,
  'output of parts': 0.3,
  'hosted tool search': 0.015,
  'local shell output by id': 0.01,
  'pending tail': 0.12,
  'partly answered tail': 0.05,
  'ends with results': 0.06,
  'ends with a request': 0.2,
  image: 0.4,
  'unknown members': 0.5,
  'own __proto__': 0.4,
  'big number': 0.2,
  'identical results': 0.15,
  'short result': 0.3,
  'error result': 0.15,
  'item over 10k': 0.03,
}

function isMessage(type: unknown): boolean {
  return type === undefined || type === 'message'
}

function isThought(type: unknown): boolean {
  return type === 'reasoning'
}

function isSealed({ encrypted_content: text }: Item): boolean {
  return typeof text === 'string'
}

function isCall(type: unknown): boolean {
  return /_call$|_approval_request$/.test(String(type))
}

function isResult({ type, execution }: Item): boolean {
  return (
    /_call_output$|^tool_search_output$|_response$/.test(String(type)) && execution !== 'server'
  )
}

function isNamedByItem({ type, id }: Item): boolean {
  return type === 'local_shell_call_output' && typeof id === 'string'
}

function idOfCall({ type, id, call_id: callId }: Item): string | undefined {
  if (type === 'mcp_approval_request') return String(id)
  return isCall(type) && typeof callId === 'string' ? callId : undefined
}
