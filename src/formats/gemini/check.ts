import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { Violation } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { exchangeRule } from '../exchange-rule.ts'
import { pointer } from '../json.ts'
import { structureRule } from '../structure-rule.ts'
import { runRules, type WireRule } from '../wire-rule.ts'
import { CONTENT_RULES } from './content-rules.ts'
import { type ExchangeFault, findExchangeFaults } from './exchanges.ts'
import type { Context } from './rule-context.ts'
import { SIGNATURE_RULES } from './signature-rules.ts'
import { wireContents } from './wire-part.ts'

const FUNCTION_GUIDE =
  'Google, Function calling; enforced with a 400: as many responses as calls, right after them'

const CALL_TURN =
  'Enforced with a 400: "function call turn comes immediately after a user turn or after a function response turn" (gemini-cli issues 11814, 26486)'

const exchange = exchangeRule<ExchangeFault>

export const GEMINI_RULES: readonly WireRule<Context>[] = [
  structureRule('contents', 'Gemini API reference, generateContent, contents'),
  ...CONTENT_RULES,
  exchange('call-without-result', FUNCTION_GUIDE, 'has no response in the content right after it'),
  exchange('result-without-call', FUNCTION_GUIDE, 'answers no earlier call'),
  exchange(
    'result-misplaced',
    FUNCTION_GUIDE,
    'answers a call that is not in the content right before',
  ),
  exchange('duplicate-result', FUNCTION_GUIDE, 'answers a call that has its response already'),
  {
    id: 'call-placement',
    source: CALL_TURN,
    run: ({ contents }, report) => {
      for (const { index, parts } of contents) {
        if (!parts.some(({ isCall }) => isCall)) continue
        const before = contents[index - 1]?.role
        if (before === 'user' || before === 'function') continue
        report(pointer('contents', index), 'must come right after a user or function content')
      }
    },
  },
  ...SIGNATURE_RULES,
]

/** Violations of the rules above. Shallow, total on any payload, and independent of `read`. */
export function checkGemini(payload: JsonObject): readonly Violation[] {
  const messages: readonly JsonValue[] = itemsOf(payload, 'contents')
  const contents = wireContents(messages)
  const exchanges = findExchangeFaults(contents)
  return runRules(GEMINI_RULES, { payload, messages, contents, exchanges })
}
