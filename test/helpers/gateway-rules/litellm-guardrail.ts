/**
 * How LiteLLM finds the texts of chat messages, and writes those of a Generic Guardrail API's answer
 * back (`llms/openai/chat/guardrail_translation/handler.py`, `generic_guardrail_api.py`). Written apart
 * from the service's own reading of the same rules.
 */
type Message = Readonly<Record<string, unknown>>

interface Place {
  readonly message: number
  readonly block?: number
}

export function litellmTexts(messages: readonly Message[]): {
  readonly texts: readonly string[]
  readonly places: readonly Place[]
} {
  const texts: string[] = []
  const places: Place[] = []
  for (const [message, { content }] of messages.entries()) {
    if (typeof content === 'string') {
      texts.push(content)
      places.push({ message })
    } else if (Array.isArray(content)) {
      for (const [block, value] of content.entries()) {
        const text: unknown = value.text
        if (text === undefined || text === null) continue
        texts.push(text as string)
        places.push({ message, block })
      }
    }
  }
  return { texts, places }
}

interface Answer {
  readonly statusCode: number
  readonly body: string
}

/** The messages that LiteLLM goes on with; throws where it would end the client's request. */
export function applyGuardrailAnswer(
  { statusCode, body }: Answer,
  messages: readonly Message[],
): readonly Message[] {
  if (statusCode !== 200) throw new Error(`Generic Guardrail API failed: ${statusCode}`)
  const answer = JSON.parse(body) as { action?: string; texts?: string[] }
  if (answer.action === 'BLOCKED') throw new Error('Content blocked by guardrail')
  const { texts } = answer
  if (texts === undefined || texts.length === 0) return messages
  const { places } = litellmTexts(messages)
  if (texts.length !== places.length) throw new Error('the rewrite cannot be applied')
  const edited = messages.map((message) => structuredClone(message) as Record<string, unknown>)
  for (const [index, { message, block }] of places.entries()) {
    const target = edited[message]
    if (target === undefined) throw new Error('a place without a message')
    if (block === undefined) target.content = texts[index]
    else
      (target.content as Record<string, unknown>[])[block] = {
        ...(target.content as Record<string, unknown>[])[block],
        text: texts[index],
      }
  }
  return edited
}
