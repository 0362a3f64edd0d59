/** Formats in which the samples are written; what holds for all formats is tested by properties. */
export type SampledFormat = 'openai-chat' | 'anthropic-messages' | 'neurolink'

type Message = Readonly<Record<string, unknown>>

export interface SampleConversation {
  /** The members of a request that hold the conversation. */
  readonly request: {
    readonly format: SampledFormat
    readonly messages: readonly Message[]
    readonly system?: string
  }
  /** Numbers of the messages that relevance may ask about with the default options. */
  readonly eligible: readonly number[]
}

export interface SampleOptions {
  /** A word that stands in every message, argument, result and instruction. */
  readonly secret?: string
  /** Pairs of plain messages before the protected tail. Default 8. */
  readonly pairs?: number
  /** Sentences of one message. Default 6. */
  readonly sentences?: number
}

/** The default of the option `protectRecent`: newest messages that are never asked about. */
const TAIL_MESSAGES = 6

/**
 * A coding session: instructions, a task, pairs of plain messages with a tool exchange in every
 * third, and a tail of plain messages that ends with the current request. No two texts are equal.
 */
export function sampleConversation(
  format: SampledFormat,
  { secret = 'marmot', pairs = 8, sentences = 6 }: SampleOptions = {},
): SampleConversation {
  const render = RENDERERS[format]
  const write = (topic: string) => paragraph(topic, secret, sentences)
  const instructions = write('instruction')
  const messages: Message[] = []
  const eligible: number[] = []
  const say = (role: 'user' | 'assistant', text: string, isEligible = false) => {
    if (isEligible) eligible.push(messages.length)
    messages.push(render.say(role, text, messages.length))
  }
  if (format !== 'anthropic-messages') messages.push(render.say('system', instructions, 0))
  say('user', write('task'))
  for (let pair = 0; pair < pairs; pair += 1) {
    say('assistant', write(`answer ${pair}`), true)
    say('user', write(`question ${pair}`), true)
    if (pair % 3 === 0) {
      const call = { id: `call_${pair}`, path: `src/${secret}-${pair}.ts` }
      messages.push(...render.exchange(call, write(`output ${pair}`), messages.length))
      say('user', write(`remark ${pair}`), true)
    }
  }
  const tail = messages.length
  for (let index = 0; index < TAIL_MESSAGES; index += 1) {
    say(index % 2 === 0 ? 'assistant' : 'user', write(`recent ${index}`))
  }
  return {
    request: {
      format,
      messages,
      ...(format === 'anthropic-messages' && { system: instructions }),
    },
    eligible: eligible.filter((index) => index < tail),
  }
}

function paragraph(topic: string, secret: string, sentences: number): string {
  return Array.from(
    { length: sentences },
    (_, line) => `Line ${line} of ${topic} says that the ${secret} build of step ${line} is done.`,
  ).join(' ')
}

interface Call {
  readonly id: string
  readonly path: string
}

interface Renderer {
  readonly say: (role: 'system' | 'user' | 'assistant', text: string, index: number) => Message
  /** A call and its result. */
  readonly exchange: (call: Call, result: string, index: number) => readonly Message[]
}

const RENDERERS: Readonly<Record<SampledFormat, Renderer>> = {
  'openai-chat': {
    say: (role, content) => ({ role, content }),
    exchange: ({ id, path }, content) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } },
        ],
      },
      { role: 'tool', tool_call_id: id, content },
    ],
  },
  'anthropic-messages': {
    say: (role, content) => ({ role, content }),
    exchange: ({ id, path }, content) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    ],
  },
  neurolink: {
    say: (role, content, index) => ({ id: `m${index}`, role, content }),
    exchange: ({ id, path }, content, index) => [
      {
        id: `m${index}`,
        role: 'tool_call',
        content: '',
        tool: 'read',
        toolCallId: id,
        args: { path },
      },
      {
        id: `m${index + 1}`,
        role: 'tool_result',
        content,
        tool: 'read',
        toolCallId: id,
        result: { success: true, result: content },
      },
    ],
  },
}
