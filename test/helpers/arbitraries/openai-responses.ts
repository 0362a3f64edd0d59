import { assemble, dress, type Renderer, toWire } from './assemble.ts'
import { createResponsesCalls, type ResponsesCalls } from './openai-responses-calls.ts'
import { answerContent, requestContent } from './openai-responses-content.ts'
import { createProvided, type Provided } from './openai-responses-provided.ts'
import type { RoundSketch, SaySketch, Scenario } from './scenario.ts'
import { writeText } from './texts.ts'
import type { ConversationPayload, JsonObject } from './types.ts'

/** The scenario as an OpenAI Responses request. One message of the user alone is sent as a string. */
export function writeOpenaiResponses(scenario: Scenario): ConversationPayload {
  const { opening, turns, declaresTools, envelope } = scenario
  const names = new Set(
    turns.flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls)).map(({ tool }) => tool),
  )
  const tools = [...names].map((name) => ({
    type: 'function',
    name,
    parameters: { type: 'object', properties: {} },
    strict: false,
  }))
  const items = assemble(scenario, createRenderer())
  const [only] = items
  const isOneText = items.length === 1 && typeof only?.content === 'string' && only.role === 'user'
  return toWire({
    model: 'gpt-5',
    ...(opening.system === 'text' ? { instructions: writeText(opening.says[0].text) } : {}),
    input: isOneText ? only.content : items,
    ...(declaresTools && tools.length > 0 ? { tools } : {}),
    ...envelope,
  })
}

function createRenderer(): Renderer {
  const provided = createProvided()
  const calls = createResponsesCalls()
  let count = 0
  const answer = (say: SaySketch): JsonObject => {
    const { named, shape } = say.style
    if (shape === 'string') {
      return { role: 'assistant', content: writeText(say.text), ...(named && { type: 'message' }) }
    }
    return {
      id: `msg_${String(count++).padStart(4, '0')}`,
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: answerContent(say),
      ...(named && { phase: 'final_answer' }),
    }
  }
  return {
    opening: (opening) => writeOpening(opening, provided),
    aside: (say) => [dress(writeAside(say, provided), say)],
    request: (say) =>
      dress(
        {
          ...(say.style.named && { type: 'message' }),
          role: 'user',
          content: requestContent(say),
          ...(say.style.cached && { status: 'completed' }),
        },
        say,
      ),
    prelude: (say) => writePrelude(say, provided),
    answer: (say) => dress(answer(say), say),
    round: (round, answered) => [
      ...writeLead(round, provided, answer),
      ...writeCalls(round, answered, provided, calls),
    ],
  }
}

function writeOpening(
  { system, summary, skill, marker, says }: Scenario['opening'],
  provided: Provided,
): JsonObject[] {
  const [first, second] = says
  const items: JsonObject[] = []
  if (system === 'parts') {
    const content = [{ type: 'input_text', text: writeText(first.text), ...first.style.partExtra }]
    items.push(dress({ type: 'message', role: 'system', content }, first))
  }
  if (system === 'two') {
    items.push(dress({ role: 'system', content: writeText(first.text) }, first))
    items.push(dress({ role: 'developer', content: writeText(second.text) }, second))
  }
  if (summary && second.style.named) items.push(dress(provided.compaction(), second))
  if (marker) items.push(dress(provided.listing(), first))
  if (skill && first.style.named) items.push(provided.moreTools())
  return items
}

/** What interrupts a conversation: new instructions, something the provider remembers, a compaction. */
function writeAside(say: SaySketch, provided: Provided): JsonObject {
  switch (say.style.shape) {
    case 'special':
      return provided.compaction()
    case 'image':
    case 'unknown-part':
      return provided.reference(say.style.named)
    default:
      return { type: 'message', role: 'developer', content: writeText(say.text) }
  }
}

/** Thinking, and tools that the provider runs, each with the thinking that led to it. */
function writePrelude({ style }: SaySketch, provided: Provided): JsonObject[] {
  const items: JsonObject[] = []
  if (style.named && style.cached) items.push(provided.reference(style.extraFirst))
  if (style.shape !== 'string' && style.shape !== 'parts') {
    if (style.thinking === 'both') items.push(...provided.reasoning('thinking'))
    items.push(provided.tool(style))
  }
  return [...items, ...provided.reasoning(style.thinking)]
}

function writeLead(
  { lead, style }: RoundSketch,
  provided: Provided,
  answer: (say: SaySketch) => JsonObject,
): JsonObject[] {
  if (lead === null) return []
  const thoughts = style.named ? provided.reasoning(style.thinking) : []
  const said = dress(answer({ text: lead, style }), { style })
  return [...thoughts, Object.hasOwn(said, 'phase') ? { ...said, phase: 'commentary' } : said]
}

/** All calls and then their results, or each call with its result, and thinking before it. */
function writeCalls(
  round: RoundSketch,
  answered: number,
  provided: Provided,
  calls: ResponsesCalls,
): JsonObject[] {
  const pairs = round.calls.map((call) => calls.write(call, round.style))
  const thoughts = pairs.map((_, index) =>
    index === 0 || round.variant ? provided.reasoning(round.style.thinking) : [],
  )
  const asked = pairs.map(({ call }, index) => [...(thoughts[index] ?? []), call])
  const results = pairs.map(({ result }, index) => (index < answered ? [result] : []))
  if (round.variant && answered === pairs.length) {
    return asked.flatMap((items, index) => [...items, ...(results[index] ?? [])])
  }
  return [...asked.flat(), ...(round.reversed ? results.reverse() : results).flat()]
}
