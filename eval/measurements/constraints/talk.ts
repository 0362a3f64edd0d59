/** A conversation of prose: requests and long answers, without tools. */
import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { RandomStream } from '../../lib/random.ts'
import { errand, fill } from '../planted/noise.ts'

const SENTENCES = [
  'The {noun} of {service} is made once at start and handed to {count} places.',
  'If the {noun} is empty, {service} falls back to the {noun} of the last {count} minutes.',
  'One way is to give {service} a {noun} of its own, which costs about {count} lines.',
  'Another is to leave the {noun} where it is and let {service} ask for it through a {noun}.',
  'The tests of {service} cover {count} cases of the {noun}, none with a broken {noun}.',
  'I would begin with the {noun}, because {count} other files in {service} rest on it.',
  'In practice the {noun} changes about {count} times a day, so that {service} can cache it.',
  'The {noun} and the {noun} of {service} share {count} fields, which should be one type.',
  'Users of {service} see the {noun} only after {count} seconds.',
  'That also explains why {service} logged {count} warnings about its {noun} last week.',
] as const
const FEWEST_SENTENCES = 5
const CHARACTERS_PER_TOKEN = 4

/** About `tokens` long. */
export function talkMessages(tokens: number, random: RandomStream): JsonObject[] {
  const messages: JsonObject[] = [
    { role: 'system', content: 'You are a careful engineer who explains what to do.' },
    { role: 'user', content: 'I want to understand the services of this repository.' },
    { role: 'assistant', content: 'Ask about whichever you like.' },
  ]
  for (let length = 0; length / CHARACTERS_PER_TOKEN < tokens; ) {
    const question = errand(random)
    const answer = Array.from({ length: FEWEST_SENTENCES + random.below(8) }, () =>
      fill(random.pick(SENTENCES), random),
    ).join(' ')
    messages.push({ role: 'user', content: question }, { role: 'assistant', content: answer })
    length += question.length + answer.length
  }
  return messages
}
