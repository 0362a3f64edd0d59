import type { ConversationPayload } from '../../helpers/arbitraries/index.ts'

type Item = Record<string, unknown>

const record = (value: unknown): Item =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const list = (value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** Names of everything of interest in ModelMessages, to see what the generator reaches. */
export function aiSdkTraitsOf(payload: ConversationPayload): Set<string> {
  const messages = payload.messages ?? []
  const json = JSON.stringify(payload)
  const of = (role: string) => messages.filter((message) => message.role === role)
  const partsOf = (role: string) => of(role).flatMap(({ content }) => list(content))
  const typesOf = (role: string) => new Set(partsOf(role).map(({ type }) => type))
  const runs = of('assistant').map(({ content }) =>
    list(content).filter((part) => part.type === 'tool-call' && part.providerExecuted !== true),
  )
  const results = partsOf('tool').filter(({ type }) => type === 'tool-result')
  const outputs = results.map(({ output }) => record(output))
  const media = new Set(outputs.flatMap(({ value }) => list(value)).map(({ type }) => type))
  const open = runs.flat().length - results.length
  const last = record(messages.at(-1))
  const lastTypes = new Set(list(last.content).map(({ type }) => type))

  const seen: [string, boolean][] = [
    ['system option', payload.system !== undefined],
    ['later system message', messages.slice(2).some(({ role }) => role === 'system')],
    ...['system', 'user', 'assistant'].map((role): [string, boolean] => [
      `string of ${role}`,
      of(role).some(({ content }) => typeof content === 'string'),
    ]),
    ...['text', 'image', 'file', 'x_widget'].map((type): [string, boolean] => [
      `${type} of user`,
      typesOf('user').has(type),
    ]),
    ...[
      'text',
      'file',
      'reasoning',
      'reasoning-file',
      'custom',
      'tool-call',
      'tool-result',
      'tool-approval-request',
      'x_note',
    ].map((type): [string, boolean] => [`${type} of assistant`, typesOf('assistant').has(type)]),
    ['tool-approval-response', typesOf('tool').has('tool-approval-response')],
    ...['text', 'json', 'error-text', 'error-json', 'content', 'execution-denied'].map(
      (type): [string, boolean] => [
        `output ${type}`,
        outputs.some((output) => output.type === type),
      ],
    ),
    ...['media', 'image-data', 'file-data'].map((type): [string, boolean] => [
      `output with ${type}`,
      media.has(type),
    ]),
    ['empty output', outputs.some(({ value }) => value === '')],
    ['null output', outputs.some(({ value }) => value === null)],
    ['big integer', json.includes('9007199254740992') && json.includes('1e+21')],
    ['parallel calls', runs.some((run) => run.length > 1)],
    [
      'answers in several messages',
      messages.some(({ role }, index) => role === 'tool' && messages[index + 1]?.role === 'tool'),
    ],
    ['signature', json.includes('"signature":"Eq')],
    ['redacted reasoning', json.includes('"redactedData":"Eq')],
    ['encrypted reasoning', json.includes('"reasoningEncryptedContent":"Eq')],
    ['signed call', runs.flat().some(({ providerOptions }) => providerOptions !== undefined)],
    ['cache control', json.includes('"cacheControl"')],
    ['provider-executed call', json.includes('"providerExecuted":true')],
    [
      'unknown members',
      messages.some((message) => Object.keys(message).some((key) => key.startsWith('x_'))),
    ],
    ['pending tail', open > 0],
    ['partly answered tail', open > 0 && lastTypes.has('tool-result')],
    ['pending approval', open > 0 && lastTypes.has('tool-approval-request')],
    ['answered approval of a pending call', open > 0 && lastTypes.has('tool-approval-response')],
    ['ends with results', open === 0 && lastTypes.has('tool-result')],
  ]
  return new Set(seen.filter(([, isSeen]) => isSeen).map(([name]) => name))
}
