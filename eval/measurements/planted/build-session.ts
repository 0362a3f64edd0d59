/** Noisy agent sessions in openai-chat form, with plants at known places. */
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { createRandom, type RandomStream } from '../../lib/random.ts'
import { errand, remark, SERVICES, type ToolRound, toolRound } from './noise.ts'
import { PLANT_MAKERS, type Plant } from './plants.ts'

export interface PlantedSession {
  /** Without the last message, which asks. */
  readonly messages: readonly JsonObject[]
  readonly plants: readonly Plant[]
}

/** Where in the session plants lie, as shares of its length: none in its opening, none in its last fifth. */
const FIRST_PLACE = 0.05
const LAST_PLACE = 0.8
/** Rounds between two messages of the user. */
const ROUNDS_PER_ERRAND = 4
const CHARACTERS_PER_TOKEN = 4

/** About `tokens` long. The same seed gives the same session. */
export function buildPlantedSession(tokens: number, seed: number): PlantedSession {
  const random = createRandom(seed)
  const services = random.shuffle(SERVICES)
  const plants = PLANT_MAKERS.map((make, index) =>
    make(services[index % services.length] ?? SERVICES[0], random),
  )
  return { messages: sessionMessages(tokens, plants, random), plants }
}

/** The noise alone, with `placed` said by the user at their shares of its length. */
export function sessionMessages(
  tokens: number,
  plants: readonly Plant[],
  random: RandomStream,
): JsonObject[] {
  const steps = plants.length * 2
  const places = random
    .shuffle(plants)
    .map((plant, index) => ({ plant, at: placeOf(2 * index + 1, steps) }))
  const replaced = places.flatMap(({ plant, at }, index) =>
    plant.superseded === undefined
      ? []
      : [{ text: plant.superseded, at: at - 1 / (steps * (2 + index)) }],
  )
  const messages = opening()
  const due = [...places.map(({ plant, at }) => ({ at, plant })), ...replaced].sort(
    (a, b) => a.at - b.at,
  )
  let length = 0
  for (let round = 0; length / CHARACTERS_PER_TOKEN < tokens; round += 1) {
    const added: JsonObject[] = []
    const next = due[0]
    if (next !== undefined && length / CHARACTERS_PER_TOKEN >= next.at * tokens) {
      due.shift()
      added.push(...('plant' in next ? saying(next.plant, round, random) : chat(next.text)))
    } else {
      if (round % ROUNDS_PER_ERRAND === 0) added.push({ role: 'user', content: errand(random) })
      added.push(...exchange(toolRound(random), round))
      if (round % ROUNDS_PER_ERRAND === ROUNDS_PER_ERRAND - 1) {
        added.push({ role: 'assistant', content: remark(random) })
      }
    }
    messages.push(...added)
    length += JSON.stringify(added).length
  }
  if (due.length > 0) throw new Error('the session is too short for what is planted in it')
  return messages
}

function placeOf(step: number, steps: number): number {
  return FIRST_PLACE + ((LAST_PLACE - FIRST_PLACE) * step) / steps
}

function opening(): JsonObject[] {
  return [
    {
      role: 'system',
      content: 'You are a careful engineer. You work with tools and say what you do.',
    },
    { role: 'user', content: 'We clean up the services of this repository, one errand at a time.' },
    { role: 'assistant', content: 'Understood. Tell me where to begin.' },
  ]
}

function saying(plant: Plant, round: number, random: RandomStream): JsonObject[] {
  switch (plant.by) {
    case 'user':
      return chat(plant.text)
    case 'assistant':
      return [
        { role: 'user', content: 'Keep an eye on what is deployed.' },
        { role: 'assistant', content: plant.text },
      ]
    case 'tool': {
      const noise = toolRound(random)
      const middle = Math.floor(noise.result.length / 2)
      const result = [...noise.result.slice(0, middle), plant.text, ...noise.result.slice(middle)]
      return exchange({ ...noise, result }, round)
    }
  }
}

function chat(text: string): JsonObject[] {
  return [
    { role: 'user', content: text },
    { role: 'assistant', content: 'Noted.' },
  ]
}

function exchange(round: ToolRound, number: number): JsonObject[] {
  const id = `call_${number}`
  const call = { name: round.tool, arguments: JSON.stringify(round.arguments) }
  return [
    {
      role: 'assistant',
      content: round.say,
      tool_calls: [{ id, type: 'function', function: call }],
    },
    { role: 'tool', tool_call_id: id, content: round.result.join('\n') },
  ]
}
