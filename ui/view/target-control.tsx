import { formatTokens } from '../data/numbers.ts'
import type { InspectorStore, Result } from '../state/inspector-store.ts'
import type { Target } from '../state/request-body.ts'

interface TargetControlProps {
  readonly target: Target
  readonly result: Result | undefined
  readonly store: InspectorStore
}

export function TargetControl({ target, result, store }: TargetControlProps) {
  const before = result?.answer.tokensBefore
  const current = result?.answer.budget.targetTokens.value
  const change = (next: Target) => store.changeSettings({ target: next })
  const shown =
    target.by === 'percent' && before !== undefined
      ? Math.round((before * target.percent) / 100)
      : current
  return (
    <fieldset>
      <legend>Target</legend>
      <div class="choices">
        <Choice
          label="percent"
          checked={target.by === 'percent'}
          choose={() => change({ by: 'percent', percent: 50 })}
        />
        <Choice
          label="tokens"
          checked={target.by === 'tokens'}
          choose={() => change({ by: 'tokens', tokens: shown ?? 10_000 })}
        />
        <Choice
          label="model's window"
          checked={target.by === 'window'}
          choose={() => change({ by: 'window' })}
        />
      </div>
      {target.by === 'percent' && (
        <label class="slide">
          <span>Of what it is now</span>
          <span class="value" aria-hidden="true">
            {target.percent}%
          </span>
          <input
            type="range"
            min={1}
            max={100}
            value={target.percent}
            aria-valuetext={`${target.percent} percent`}
            onInput={(event) =>
              change({ by: 'percent', percent: Number(event.currentTarget.value) })
            }
          />
        </label>
      )}
      {target.by === 'tokens' && (
        <label>
          Tokens
          <input
            type="number"
            min={1}
            step={1}
            value={target.tokens}
            onInput={(event) => {
              const tokens = Math.floor(Number(event.currentTarget.value))
              if (tokens >= 1) change({ by: 'tokens', tokens })
            }}
          />
        </label>
      )}
      {shown !== undefined && target.by !== 'tokens' && (
        <p class="fine">{formatTokens(shown)} tokens</p>
      )}
    </fieldset>
  )
}

function Choice(props: { label: string; checked: boolean; choose: () => void }) {
  return (
    <label class="choice">
      <input type="radio" name="target" checked={props.checked} onChange={props.choose} />
      {props.label}
    </label>
  )
}
