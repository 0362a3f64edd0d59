import { createRandom } from './random.ts'
import { chinese, code, json, log, prose } from './texts.ts'

export interface OpenaiMessage {
  role: string
  content: string | null
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/**
 * An openai-chat agent session of about `size` messages: one system message, then user turns of
 * about seven tool exchanges each. Prose, code, JSON, logs, a little Chinese; about 200 tokens a
 * message in the mean, with results up to 12,000 characters. The same for the same size and seed;
 * texts of different seeds share words, hardly ever a whole text.
 */
export function toolConversation(size: number, seed: number = size): OpenaiMessage[] {
  const random = createRandom(seed)
  const messages: OpenaiMessage[] = [
    { role: 'system', content: `You are a coding agent. ${prose(2_000, random)}` },
  ]
  let call = 0
  while (messages.length < size) {
    messages.push({ role: 'user', content: prose(80 + random() * 300, random) })
    const exchanges = 5 + Math.floor(random() * 5)
    for (let index = 0; index < exchanges && messages.length < size; index += 1) {
      const id = `call_${call}`
      call += 1
      const kind = Math.floor(random() * 5)
      messages.push({
        role: 'assistant',
        content: random() < 0.4 ? prose(60 + random() * 160, random) : null,
        tool_calls: [
          {
            id,
            type: 'function',
            function: {
              name: ['read_file', 'run_command', 'query', 'search', 'list_files'][kind] ?? 'search',
              arguments: JSON.stringify({ path: `src/${call % 97}.ts`, limit: call % 50 }),
            },
          },
        ],
      })
      messages.push({ role: 'tool', tool_call_id: id, content: result(kind, random) })
    }
    messages.push({ role: 'assistant', content: prose(150 + random() * 500, random) })
  }
  messages.push({
    role: 'user',
    content: 'Now rename the retry option and update the tests for it.',
  })
  return messages
}

function result(kind: number, random: () => number): string {
  const length = random() < 0.03 ? 12_000 : 200 + random() * 2_400
  switch (kind) {
    case 0:
      return code(length, random)
    case 1:
      return log(length, random)
    case 2:
      return json(length, random)
    case 3:
      return random() < 0.1 ? chinese(length / 4, random) : prose(length, random)
    default:
      return prose(length / 2, random)
  }
}
