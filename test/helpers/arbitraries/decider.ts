import fc from 'fast-check'

/**
 * What a decision model says to one boolean question: a probability, honest or not (NaN, -5, 7), no
 * answer under that id, or an answer of another kind of question.
 */
export type ScriptedAnswer = number | 'missing' | 'wrong-kind'

export interface DeciderScript {
  /** `null`: the call comes back without answers. `throw`: it rejects. */
  readonly failure: 'none' | 'null' | 'throw'
  readonly answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]]
}

/** Confident noes and yeses, both edges of the 0.6 bar (p 0.2 and 0.8), coin-flips, then nonsense. */
const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 5, arbitrary: fc.double({ min: 0, max: 0.2, noNaN: true }) },
  { weight: 4, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<ScriptedAnswer[]>(0, 0.2, 0.20000001, 0.5, 0.8, 1),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<ScriptedAnswer[]>(Number.NaN, -5, 7, 'missing', 'wrong-kind'),
  },
)

export const scriptedDecider: fc.Arbitrary<DeciderScript> = fc.record({
  failure: fc.oneof(
    { weight: 8, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constantFrom('null' as const, 'throw' as const) },
  ),
  answers: fc
    .tuple(answer, fc.array(answer, { maxLength: 60 }))
    .map(([first, rest]): [ScriptedAnswer, ...ScriptedAnswer[]] => [first, ...rest]),
})

/**
 * The scripted answer to a question. A number counts the questions; a string, such as the
 * question's id or text, gets the same answer wherever and however often it is asked.
 */
export function answerTo(script: DeciderScript, question: number | string): ScriptedAnswer {
  const index = typeof question === 'number' ? question : hash(question)
  return script.answers[index % script.answers.length] ?? script.answers[0]
}

/** FNV-1a, so that the answer depends on the question alone. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
