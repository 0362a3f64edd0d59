import type { SeededRandom } from '../../../test/helpers/seeded-random.ts'
import type { RawScript } from '../types.ts'
import { badFields, expecting, upgrading } from './fields.ts'
import { badChunks, pipelined, pipelinedGarbage, twoLengths } from './framing.ts'
import {
  absoluteTarget,
  badLine,
  badMethod,
  badPath,
  oldOrHostless,
  otherTarget,
} from './request-lines.ts'
import type { DrawScript } from './script.ts'
import { earlyClose, slowBytes, unheard } from './timing.ts'

const KINDS: Readonly<Record<string, DrawScript>> = {
  'request line': badLine,
  method: badMethod,
  path: badPath,
  'absolute target': absoluteTarget,
  'other target': otherTarget,
  'old version or no host': oldOrHostless,
  'two lengths': twoLengths,
  chunks: badChunks,
  pipelining: pipelined,
  'pipelining with garbage': pipelinedGarbage,
  fields: badFields,
  expect: expecting,
  upgrade: upgrading,
  'slow bytes': slowBytes,
  'early close': earlyClose,
  'nobody reads': unheard,
}

export const HOSTILE_KINDS = Object.keys(KINDS)

export function drawHostile(seed: number, random: SeededRandom): RawScript {
  const change = random.pick(HOSTILE_KINDS)
  const { steps, answers, statuses } = (KINDS[change] ?? badLine)(random)
  return { seed, family: 'hostile', change, steps, answers, statuses }
}
