import { isRecord, pointer } from '../json.ts'
import type { WireRule } from '../wire-rule.ts'
import type { Context } from './rule-context.ts'
import { partPointer, type WireContent, type WirePart } from './wire-part.ts'

const CONTENT = 'Gemini API reference, Content'
const PART = 'Gemini API reference, Part'

export const CONTENT_RULES: readonly WireRule<Context>[] = [
  {
    id: 'known-role',
    source: `${CONTENT}: role is user, model or (for responses) function; user where there is none`,
    run: ({ messages, contents }, report) => {
      for (const { index, role } of contents) {
        if (role !== undefined || !isRecord(messages[index])) continue
        report(pointer('contents', index, 'role'), 'is not a role of this format')
      }
    },
  },
  {
    id: 'first-role',
    source: `${CONTENT}: a conversation begins with the user`,
    run: ({ contents }, report) => {
      if (contents[0]?.role !== 'model') return
      report(pointer('contents', 0, 'role'), 'must be user')
    },
  },
  {
    id: 'empty-content',
    source: `${CONTENT}: parts; enforced with a 400`,
    run: ({ contents }, report) => {
      for (const { index, hasParts } of contents) {
        if (!hasParts) report(pointer('contents', index), 'must have at least one part')
      }
    },
  },
  {
    id: 'empty-part',
    source: `${PART}: exactly one kind of data; enforced with a 400`,
    run: ({ contents }, report) => {
      for (const { parts } of contents) {
        for (const part of parts) {
          if (isEmpty(part))
            report(partPointer(part), 'must hold data, and a text be more than empty')
        }
      }
    },
  },
  {
    id: 'part-role',
    source: `${PART}: calls and code are predicted by the model, responses are given to it`,
    run: ({ contents }, report) => {
      for (const { role, parts } of contents) {
        for (const part of parts) {
          if (role === undefined || mayHold(role, part)) continue
          report(partPointer(part), 'may not stand in a content of this role')
        }
      }
    },
  },
  {
    id: 'code-result-without-code',
    source: `${PART}: a CodeExecutionResult always follows the part with the ExecutableCode`,
    run: ({ contents }, report) => {
      for (const { parts } of contents) {
        let followsCode = false
        for (const part of parts) {
          if (part.isThought) continue
          // A program may have several results, and ends with the first part that is none.
          if (!part.isCodeResult) {
            followsCode = part.isCode
          } else if (!followsCode) report(partPointer(part), 'must follow the code that it is of')
        }
      }
    },
  },
]

/** An empty text may carry the signature that a stream ended with. */
function isEmpty({ kindCount, text, isSigned }: WirePart): boolean {
  if (kindCount === 0) return true
  return kindCount === 1 && text === '' && !isSigned
}

function mayHold(role: WireContent['role'], part: WirePart): boolean {
  if (role === 'model') return !part.isResponse
  return !(part.isCall || part.isCode || part.isCodeResult)
}
