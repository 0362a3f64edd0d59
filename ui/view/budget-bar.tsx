import type { Answer } from '../data/answer.ts'
import { formatTokens } from '../data/numbers.ts'
import { reasonWords } from '../data/words.ts'

interface Segment {
  readonly name: string
  readonly kind: string
  readonly tokens: number
  readonly words: string
}

/** What the target is spent on: the floor that nothing may remove, what stays besides, what is left. */
export function BudgetBar({ answer }: { answer: Answer }) {
  const { budget, tokensBefore, tokensAfter } = answer
  const target = budget.targetTokens.value
  const { floor } = budget
  const scale = Math.max(tokensBefore, target, tokensAfter, 1)
  const segments = segmentsOf(answer)
  const at = (tokens: number) => `${(tokens / scale) * 100}%`
  return (
    <section class="budget" aria-labelledby="budget-title">
      <h2 id="budget-title">Budget</h2>
      <div class="track">
        <div class="stack" aria-hidden="true">
          {segments.map(({ name, kind, tokens, words }) => (
            <span
              key={name}
              class={`segment ${kind}`}
              style={{ width: at(tokens) }}
              title={`${name}: ${formatTokens(tokens)} tokens${words === '' ? '' : `; ${words}`}`}
            />
          ))}
        </div>
        <Mark share={floor.tokens / scale} name="floor" />
        <Mark share={target / scale} name="target" />
      </div>
      <dl class="numbers">
        {segments.map(({ name, kind, tokens, words }) => (
          <div key={name} title={words}>
            <dt class={kind}>{name}</dt>
            <dd>{formatTokens(tokens)}</dd>
          </div>
        ))}
        <div class="sum">
          <dt>floor</dt>
          <dd>{formatTokens(floor.tokens)}</dd>
        </div>
        <div class="sum">
          <dt>target</dt>
          <dd>{formatTokens(target)}</dd>
        </div>
      </dl>
      {floor.tokens > target && (
        <p class="fine">
          What must stay is more than the target. Nothing was destroyed on the way to not meeting
          it.
        </p>
      )}
      {budget.safetyFactor !== null && (
        <p class="fine">
          Tokens are estimated for this model, so the target of{' '}
          {formatTokens(budget.requestedTokens ?? target)} is taken as {formatTokens(target)}.
        </p>
      )}
    </section>
  )
}

/** Near the end of the bar its name stands before it. */
const LATE = 0.9

function Mark({ share, name }: { share: number; name: string }) {
  const place = share > LATE ? `mark ${name} late` : `mark ${name}`
  return (
    <span class={place} style={{ left: `${share * 100}%` }} aria-hidden="true">
      <i>{name}</i>
    </span>
  )
}

function segmentsOf({ budget, tokensAfter }: Answer): readonly Segment[] {
  const { floor, targetTokens } = budget
  const pins = Object.entries(floor.pins).map(([reason, tokens]) => ({
    name: reason.replaceAll('-', ' '),
    kind: 'pins',
    tokens,
    words: reasonWords(reason),
  }))
  const rest = Math.max(0, tokensAfter - floor.tokens)
  const left = Math.max(0, targetTokens.value - tokensAfter)
  return [
    { name: 'instructions', kind: 'instructions', tokens: floor.instructions, words: '' },
    { name: 'tools', kind: 'tools', tokens: floor.tools, words: 'definitions of tools' },
    { name: 'framing', kind: 'framing', tokens: floor.framing, words: 'what the provider adds' },
    ...pins,
    {
      name: 'newest',
      kind: 'tail',
      tokens: floor.protectedTail,
      words: reasonWords('protected-tail'),
    },
    { name: 'marker', kind: 'framing', tokens: floor.marker, words: reasonWords('marker') },
    { name: 'kept besides', kind: 'rest', tokens: rest, words: 'what could have gone, and stayed' },
    { name: 'left', kind: 'left', tokens: left, words: 'room up to the target' },
  ].filter(({ tokens }) => tokens > 0)
}
