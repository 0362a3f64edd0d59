import type { InspectorStore, State } from '../state/inspector-store.ts'
import { effectiveThresholds } from '../state/request-body.ts'
import { Histogram } from './histogram.tsx'

/** Stops of a slider that has to reach from a hundredth to no bound at all. */
const RISKS: readonly (number | null)[] = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, null]

/** What can be moved without asking a model again. */
export function ThresholdControls({ state, store }: { state: State; store: InspectorStore }) {
  const { service, settings, input, thresholds, result } = state
  const now = effectiveThresholds(service, settings, input, thresholds)
  const bar = (1 - now.minDropConfidence) / 2
  const risk = riskStop(now.riskBudget)
  const isMoved = Object.keys(thresholds).length > 0
  return (
    <fieldset class="thresholds">
      <legend>Thresholds</legend>
      <p class="fine">Moving these decides anew from the same answers. No model is asked.</p>
      {result !== undefined && <Histogram rows={result.rows} bar={bar} />}
      <label class="slide">
        <span>Confidence to drop</span>
        <span class="value" aria-hidden="true">
          {now.minDropConfidence.toFixed(2)}
        </span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={now.minDropConfidence}
          aria-valuetext={`${now.minDropConfidence.toFixed(2)}: P(needed) of at most ${bar.toFixed(3)}`}
          onInput={(event) =>
            store.changeThresholds({ minDropConfidence: Number(event.currentTarget.value) })
          }
        />
        <small>P(needed) of at most {bar.toFixed(3)}</small>
      </label>
      <label class="slide">
        <span>Share that may go</span>
        <span class="value" aria-hidden="true">
          {Math.round(now.maxDropRatio * 100)}%
        </span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={now.maxDropRatio}
          aria-valuetext={`${Math.round(now.maxDropRatio * 100)} percent of the judged messages`}
          onInput={(event) =>
            store.changeThresholds({ maxDropRatio: Number(event.currentTarget.value) })
          }
        />
      </label>
      <label class="slide">
        <span>Risk budget</span>
        <span class="value" aria-hidden="true">
          {now.riskBudget === null ? 'none' : now.riskBudget}
        </span>
        <input
          type="range"
          min={0}
          max={RISKS.length - 1}
          step={1}
          value={risk}
          aria-valuetext={
            now.riskBudget === null
              ? 'no bound'
              : `${now.riskBudget} needed messages expected to be lost`
          }
          onInput={(event) =>
            store.changeThresholds({
              riskBudget: RISKS[Number(event.currentTarget.value)] ?? null,
            })
          }
        />
        <small>
          {now.riskBudget === null
            ? 'no bound on what may be lost'
            : 'needed messages that may be lost, by expectation'}
        </small>
      </label>
      <label>
        Order
        <select
          value={now.order}
          onChange={(event) =>
            store.changeThresholds({
              order:
                event.currentTarget.value === 'oldest-first'
                  ? 'oldest-first'
                  : 'least-needed-first',
            })
          }
        >
          <option value="least-needed-first">least needed first</option>
          <option value="oldest-first">oldest first</option>
        </select>
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={now.stopAtTarget}
          onChange={(event) =>
            store.changeThresholds({ stopAtTarget: event.currentTarget.checked })
          }
        />
        Drop no more than the target needs
      </label>
      <button type="button" disabled={!isMoved} onClick={store.resetThresholds}>
        Back to the service's own
      </button>
    </fieldset>
  )
}

function riskStop(budget: number | null): number {
  if (budget === null) return RISKS.length - 1
  const above = RISKS.findIndex((risk) => risk === null || risk >= budget)
  return above === -1 ? RISKS.length - 1 : above
}
