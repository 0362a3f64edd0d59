import { assemble, dress, type Renderer, toWire } from './assemble.ts'
import { createGeminiParts, type GeminiParts } from './gemini-parts.ts'
import { bodyOf, holdsPart, partsOfContent } from './gemini-reading.ts'
import { createGeminiRounds } from './gemini-rounds.ts'
import type { Scenario } from './scenario.ts'
import { writeText } from './texts.ts'
import type { ConversationPayload, JsonObject } from './types.ts'

const MODELS = [
  'gemini-3-pro-preview',
  'gemini-2.5-flash',
  'models/gemini-3.1-flash-lite',
  undefined,
  'models/gemini-2.5-pro',
] as const

const SPELLINGS = ['camel', 'snake', 'mixed'] as const

/** The scenario as a Gemini generateContent request. */
export function writeGemini(scenario: Scenario): ConversationPayload {
  // A choice that shrinks with the texts and depends on nothing that the tests ask for.
  const choice = scenario.turns[0]?.answer.text.seed ?? 0
  const model = MODELS[choice % MODELS.length]
  const isThird = model?.includes('gemini-3') === true
  const parts = createGeminiParts(SPELLINGS[(choice >> 4) % SPELLINGS.length] ?? 'mixed')
  const rounds = createGeminiRounds(parts, { reusesIds: scenario.reusesIds, isThird })
  const renderer: Renderer = {
    opening: () => [],
    aside: () => [],
    request: (say) => {
      // Without a role it is the user who speaks.
      const role = say.style.named ? {} : { role: 'user' }
      return dress({ ...role, parts: parts.request(say) }, say)
    },
    answer: (say) => dress({ role: 'model', parts: parts.answer(say) }, say),
    round: rounds,
  }
  const contents = assemble(scenario, renderer)
  if (isThird) signCurrentTurn(contents, parts)
  const names = new Set(
    scenario.turns
      .flatMap((turn) => turn.rounds.flatMap(({ calls }) => calls))
      .map(({ tool }) => tool),
  )
  const declarations = [...names].map((name) => ({ name, parameters: { type: 'OBJECT' } }))
  return toWire({
    ...(model === undefined ? {} : { model }),
    ...systemInstruction(scenario, parts),
    contents,
    ...(scenario.declaresTools && declarations.length > 0
      ? { tools: [{ [parts.name('functionDeclarations')]: declarations }] }
      : {}),
    ...scenario.envelope,
  })
}

function systemInstruction({ opening }: Scenario, parts: GeminiParts): JsonObject {
  const [first, second] = opening.says
  const name = parts.name('systemInstruction')
  switch (opening.system) {
    case 'none':
      return {}
    case 'text':
      return { [name]: { parts: [{ text: writeText(first.text) }] } }
    case 'parts':
      return { [name]: { role: 'system', parts: [parts.text(first)] } }
    case 'two':
      return { [name]: { parts: [parts.text(first), parts.text(second)] } }
  }
}

/**
 * Gemini 3 asks for a signature on the first call of each step since the user last spoke, and not
 * before: turns that an older model wrote stay as unsigned as they were.
 */
function signCurrentTurn(contents: readonly JsonObject[], parts: GeminiParts): void {
  const start = contents.findLastIndex(
    (content) => content.role !== 'model' && !holdsPart(content, 'functionResponse'),
  )
  for (const content of contents.slice(start + 1)) {
    const call = partsOfContent(content).find((part) => bodyOf(part, 'functionCall') !== undefined)
    const isSigned = 'thoughtSignature' in (call ?? {}) || 'thought_signature' in (call ?? {})
    if (call !== undefined && !isSigned) call[parts.name('thoughtSignature')] = parts.signature()
  }
}
