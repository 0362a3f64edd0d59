import type { CallSketch } from './calls.ts'
import type { RoundSketch, SaySketch, Scenario, TurnSketch } from './scenario.ts'
import type { TextSketch } from './texts.ts'
import type { ConversationPayload, JsonObject } from './types.ts'

/** How one format writes the pieces of a scenario. It counts ids, so it serves one conversation only. */
export interface Renderer {
  readonly opening: (opening: Scenario['opening']) => JsonObject[]
  /** Instructions in the middle of a conversation, for formats that allow them. */
  readonly aside: (say: SaySketch) => JsonObject[]
  readonly request: (say: SaySketch) => JsonObject
  readonly answer: (say: SaySketch) => JsonObject
  /** What an assistant does before it answers, for formats in which that is a message of its own. */
  readonly prelude?: (say: SaySketch) => JsonObject[]
  /** All messages of a round of calls of which the first `answered` have their result. */
  readonly round: (round: RoundSketch, answered: number) => JsonObject[]
}

/**
 * Exactly `size` messages: opening, turns in circles, plain exchanges where no turn fits any more,
 * and the tail. Whole pieces are left out where there is no room, so that no pair is ever cut.
 */
export function assemble(scenario: Scenario, renderer: Renderer): JsonObject[] {
  const { size, turns } = scenario
  const whole = writeTail(scenario, renderer)
  const tail = whole.length <= size ? whole : writePlain(turns, renderer, 1)
  const intended = renderer.opening(scenario.opening)
  const opening = intended.length + tail.length <= size ? intended : []
  const room = size - opening.length - tail.length
  const body = writeTurns(scenario, renderer, room)
  return [...opening, ...body, ...writePlain(turns, renderer, room - body.length), ...tail]
}

/**
 * The payload as it would come off the wire. The round trip through JSON drops undefined members
 * and shared references, and orders keys as a real parser would.
 */
export function toWire(payload: JsonObject): ConversationPayload {
  return JSON.parse(JSON.stringify(payload))
}

/** Adds the unknown members in front or behind; spread keeps an own `__proto__` own. */
export function dress(message: JsonObject, say: Pick<SaySketch, 'style'>): JsonObject {
  const { extra, extraFirst } = say.style
  return extraFirst ? { ...extra, ...message } : { ...message, ...extra }
}

function writeTurns(scenario: Scenario, renderer: Renderer, room: number): JsonObject[] {
  const messages: JsonObject[] = []
  for (let cycle = 0; ; cycle += 1) {
    const lengthBefore = messages.length
    for (const turn of scenario.turns) {
      const written = writeTurn(scenario.verbatim ? turn : vary(turn, cycle), renderer)
      if (messages.length + written.length <= room) messages.push(...written)
    }
    if (messages.length === lengthBefore) return messages
  }
}

function writeTurn(turn: TurnSketch, renderer: Renderer): JsonObject[] {
  return [
    ...(turn.aside === null ? [] : renderer.aside(turn.aside)),
    ...turn.requests.map(renderer.request),
    ...turn.rounds.flatMap((round) => renderer.round(round, round.calls.length)),
    ...(renderer.prelude?.(turn.answer) ?? []),
    renderer.answer(turn.answer),
  ]
}

function writeTail({ turns, tail }: Scenario, renderer: Renderer): JsonObject[] {
  const request = writePlain(turns, renderer, tail === 'answer' ? 2 : 1)
  const [first, ...others] = turns.flatMap(({ rounds }) => rounds)
  if (tail === 'answer' || tail === 'request' || first === undefined) return request
  // The widest round, as a tail that is answered in part takes at least two calls.
  const round = others.reduce((a, b) => (b.calls.length > a.calls.length ? b : a), first)
  const count = round.calls.length
  const answered = { results: count, pending: 0, 'partly-answered': Math.floor(count / 2) }[tail]
  return [...request, ...renderer.round(round, answered)]
}

/** Requests and answers in turn, `count` of them, with words of their own. */
function writePlain(turns: readonly TurnSketch[], renderer: Renderer, count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const say = turns[index % turns.length]?.answer
    if (say === undefined) throw new Error('a scenario has at least one turn')
    const fresh = { ...say, text: reword(say.text, count + index) }
    return index % 2 === 0 ? renderer.request(fresh) : renderer.answer(fresh)
  })
}

function reword(sketch: TextSketch, times: number): TextSketch {
  return { ...sketch, seed: sketch.seed + 7_919 * times }
}

/** The same turn with other words. Reads of files stay as they are: a file is read again and again. */
function vary(turn: TurnSketch, cycle: number): TurnSketch {
  if (cycle === 0) return turn
  const say = (sketch: SaySketch): SaySketch => ({ ...sketch, text: reword(sketch.text, cycle) })
  const call = (sketch: CallSketch): CallSketch =>
    sketch.tool === 'read_file' || sketch.output.length < 8
      ? sketch
      : { ...sketch, output: `${sketch.output}\n[run ${cycle}]` }
  return {
    aside: turn.aside === null ? null : say(turn.aside),
    requests: turn.requests.map(say),
    rounds: turn.rounds.map((round) => ({
      ...round,
      lead: round.lead === null ? null : reword(round.lead, cycle),
      calls: round.calls.map(call),
    })),
    answer: say(turn.answer),
  }
}
