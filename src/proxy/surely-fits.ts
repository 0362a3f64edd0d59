import { budgetOf, type Posted } from '../conversation/budget-conversation.ts'
import type { ConversationServices } from '../conversation/services.ts'
import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import { textMember } from '../formats/json.ts'
import { createJsonSource } from '../json-text/json-source.ts'
import type { Asked } from './asked.ts'
import { type Generation, outputLimitOf } from './surface.ts'

/** What the answer's length and the model are read from: all of them short. */
const MEMBERS = [
  'model',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'generationConfig',
  'generation_config',
] as const

/** A longer one is none of what these members are for. */
const MAX_MEMBER_BYTES = 4_096

/**
 * No window holds as many tokens, but for a few of open weights, and the look would hold up all others:
 * 20 MB of escaped text take 50 ms and more.
 */
const MOST_BYTES = 4 * 1024 * 1024

/**
 * What pictures and files stand behind: a few bytes of an address may be thousands of tokens. Found in
 * a text as well, which costs only the look that would have been spared.
 */
const MEDIA = [
  '"image',
  '"input_image',
  '"input_audio',
  '"input_file',
  '"file"',
  '"file_',
  '"fileData',
  '"fileUri',
  '"inlineData',
  '"inline_data',
  '"document',
  '"computer_',
  '"video',
].map((text) => Buffer.from(text))

const NOTHING_POSTED: Posted = {
  instructions: 0,
  tools: 0,
  framing: 0,
  history: 0,
  currentRequest: { text: undefined, tokens: 0, isPosted: false },
}

/**
 * Whether a body is so short that it cannot be over its budget: no text has more tokens than bytes,
 * and what JSON puts around a message is longer than what a provider does. Costs one pass over the
 * bytes that builds nothing. False where that is not certain.
 */
export function surelyFits(
  text: Buffer,
  generation: Generation,
  asked: Asked,
  services: Pick<ConversationServices, 'counters' | 'windows'>,
): boolean {
  if (text.length > MOST_BYTES) return false
  const members = shortMembers(text)
  const model = generation.model ?? textMember(members, 'model')
  const counter = services.counters.forModel(model)
  const mostTokens = text.length * counter.factor
  if (asked.targetTokens !== undefined) {
    return mostTokens <= asked.targetTokens * 0.9 && !hasMedia(text)
  }
  if (services.windows.lookup(model).source === 'default') return false
  try {
    const outputTokens = outputLimitOf(members)
    const fields = outputTokens === undefined ? {} : { maxOutputTokens: outputTokens }
    const { budget } = budgetOf(fields, model, NOTHING_POSTED, counter, services, undefined)
    return mostTokens <= budget.target.value && !hasMedia(text)
  } catch {
    // An answer as long as the window: the long way says so.
    return false
  }
}

function shortMembers(text: Buffer): JsonObject {
  const source = createJsonSource(text)
  const members: JsonObject = {}
  for (const name of MEMBERS) {
    const range = source.member(name)
    if (range === undefined || range.end - range.start > MAX_MEMBER_BYTES) continue
    try {
      members[name] = JSON.parse(text.toString('utf8', range.start, range.end)) as JsonValue
    } catch {
      // The text is no JSON, which shows when it is parsed.
    }
  }
  return members
}

function hasMedia(text: Buffer): boolean {
  return MEDIA.some((word) => text.includes(word))
}
