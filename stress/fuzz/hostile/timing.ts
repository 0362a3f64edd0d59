import type { SeededRandom } from '../../../test/helpers/seeded-random.ts'
import type { Step } from '../types.ts'
import { BODY, type DrawScript, get, post, type Script, write } from './script.ts'

const MAX_PIECES = 24
const MAX_WAIT_MS = 4

/** The text in pieces with pauses between them. */
function slowly(random: SeededRandom, text: string): Step[] {
  const pieces = 2 + random.below(MAX_PIECES)
  const size = Math.ceil(text.length / pieces)
  return Array.from({ length: pieces }, (_, index): Step[] => [
    write(text.slice(index * size, (index + 1) * size)),
    { waitMs: random.below(MAX_WAIT_MS) },
  ]).flat()
}

/** Few bytes at a time, but all of them in the end: as good as any other request. */
export const slowBytes: DrawScript = (random) => {
  const text = random.chance(0.7)
    ? post(random.pick(['/compact', '/check']), BODY.replace(',"targetTokens":500', ''))
    : get('/healthz', 'Connection: close')
  return { steps: slowly(random, text), answers: [1, 1], statuses: [200, 503] }
}

/** The caller goes away somewhere in the middle, in one of three ways. */
export const earlyClose: DrawScript = (random) => {
  const path = random.pick([
    '/compact',
    '/v1/compress',
    '/v1/chat/completions',
    '/webhooks/portkey',
  ])
  const text = post(path, BODY)
  const cut = text.slice(0, 1 + random.below(text.length))
  return leave(random, random.chance(0.5) ? [write(cut)] : slowly(random, cut))
}

/** It goes away when all was sent, and nobody reads the answer. */
export const unheard: DrawScript = (random) => {
  const path = random.pick(['/compact', '/v1/chat/completions', '/request', '/metrics'])
  const text = path === '/metrics' ? get(path) : post(path, BODY)
  return { steps: [write(text), { waitMs: random.below(3) }, { reset: true }], answers: [0, 1] }
}

function leave(random: SeededRandom, steps: readonly Step[]): Script {
  const last: Step = random.chance(0.5) ? { endAfterMs: 0 } : { reset: true }
  return { steps: [...steps, last], answers: [0, 1] }
}
