import {
  BAD_BODIES,
  BAD_CONVERSATIONS,
  BAD_NUMBERS,
  BAD_OPTIONS,
} from '../../test/helpers/bad-requests.ts'
import { createSeededRandom, type SeededRandom } from '../../test/helpers/seeded-random.ts'
import { drawBroken } from './draw-conversation.ts'
import {
  agentgatewayDraft,
  headroomDraft,
  kongDraft,
  kongRpcDraft,
  litellmDraft,
  portkeyDraft,
} from './gateway-routes.ts'
import { drawHostile } from './hostile/draw-hostile.ts'
import { HEADER_MUTATIONS, mutateHeaders } from './mutate-headers.ts'
import { mutateText, TEXT_MUTATIONS } from './mutate-text.ts'
import { mutateValue, VALUE_MUTATIONS } from './mutate-value.ts'
import {
  budgetDraft,
  checkDraft,
  compactDraft,
  drawTarget,
  summaryCheckDraft,
} from './own-routes.ts'
import { pageDraft, unknownDraft } from './page-routes.ts'
import { passedDraft, proxiedDraft } from './proxied-routes.ts'
import type { Draft, Family, FuzzRequest, JsonRecord, SentRequest } from './types.ts'

const VALID_SHARE = 0.4
const NEARLY_VALID_SHARE = 0.45

type DrawDraft = (random: SeededRandom) => Draft

const ROUTES: readonly (readonly [weight: number, draw: DrawDraft])[] = [
  [30, compactDraft],
  [8, checkDraft],
  [5, budgetDraft],
  [4, summaryCheckDraft],
  [8, headroomDraft],
  [6, portkeyDraft],
  [5, litellmDraft],
  [4, kongDraft],
  [3, kongRpcDraft],
  [6, agentgatewayDraft],
  [12, proxiedDraft],
  [2, passedDraft],
]

/** Addresses without a body worth breaking. */
const BARE: readonly DrawDraft[] = [pageDraft, pageDraft, unknownDraft]
const BARE_SHARE = 0.12

/** The request of a seed, whatever came before it. */
export function generateRequest(seed: number): FuzzRequest {
  const random = createSeededRandom(Math.imul(seed, 0x9e3779b1))
  const share = random.next()
  if (share < VALID_SHARE) return finish(seed, 'valid', '', drawDraft(random))
  if (share < VALID_SHARE + NEARLY_VALID_SHARE) return drawNearlyValid(seed, random)
  return drawHostile(seed, random)
}

function drawDraft(random: SeededRandom): Draft {
  if (random.chance(BARE_SHARE)) return random.pick(BARE)(random)
  return drawRoute(random)
}

function drawRoute(random: SeededRandom): Draft {
  const total = ROUTES.reduce((sum, [weight]) => sum + weight, 0)
  let left = random.below(total)
  for (const [weight, draw] of ROUTES) {
    left -= weight
    if (left < 0) return draw(random)
  }
  return compactDraft(random)
}

function drawNearlyValid(seed: number, random: SeededRandom): SentRequest {
  const share = random.next()
  if (share < 0.06) return badRequest(seed, random)
  if (share < 0.2) return brokenConversation(seed, random)
  const { statuses: _statuses, format, ...draft } = drawRoute(random)
  if (share < 0.6) {
    const change = random.pick(VALUE_MUTATIONS)
    const body = JSON.parse(JSON.stringify(draft.body ?? {}))
    mutateValue(random, change, body)
    return finish(seed, 'nearly-valid', change, { ...draft, body })
  }
  const request = finish(seed, 'nearly-valid', '', draft)
  const body = request.body ?? Buffer.from('{}')
  if (share < 0.85) {
    const change = random.pick(TEXT_MUTATIONS)
    return { ...request, change, body: mutateText(random, change, body.toString()) }
  }
  const change = random.pick(HEADER_MUTATIONS)
  const envelope = mutateHeaders(random, change, {
    path: request.path,
    headers: request.headers,
    body,
  })
  return { ...request, change, format, ...envelope }
}

const BAD = [...BAD_BODIES, ...BAD_CONVERSATIONS, ...BAD_NUMBERS, ...BAD_OPTIONS]

/** Requests whose one mistake has a code. */
function badRequest(seed: number, random: SeededRandom): SentRequest {
  const { what, body, code } = random.pick(BAD)
  const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
  return {
    seed,
    family: 'nearly-valid',
    change: `known mistake: ${what}`,
    surface: 'own',
    method: 'POST',
    path: '/compact',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(bytes as Buffer),
    code,
  }
}

function brokenConversation(seed: number, random: SeededRandom): SentRequest {
  const { format, payload } = drawBroken(random)
  const path = random.pick(['/compact', '/compact', '/check'])
  const target = path === '/compact' && { targetTokens: drawTarget(random, payload) }
  const { system, tools, messages, input, contents, instructions } = payload as JsonRecord
  const body = { format, system, tools, messages, input, contents, instructions, ...target }
  return finish(seed, 'nearly-valid', 'broken conversation', {
    surface: 'own',
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body,
    format,
  })
}

function finish(
  seed: number,
  family: Family,
  change: string,
  { body, ...draft }: Draft,
): SentRequest {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  return { seed, family, change, ...draft, body: bytes }
}
