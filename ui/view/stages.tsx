import { formatTokens, plural } from '../data/numbers.ts'
import { stageReasonWords, statusWords } from '../data/words.ts'
import type { Result } from '../state/inspector-store.ts'

export function Stages({ result }: { result: Result }) {
  const { stages, relevance, summary } = result.answer
  return (
    <section class="stages" aria-labelledby="stages-title">
      <h2 id="stages-title">Stages</h2>
      <ol>
        {stages.map(({ stage, status, reason, tokensBefore, tokensAfter, dropped, rewritten }) => (
          <li key={stage} class={status}>
            <b>{stage}</b>
            <span class="status">{status}</span>
            <span class="effect">
              {status === 'applied'
                ? `−${formatTokens(tokensBefore - tokensAfter)} tokens; ${[
                    dropped > 0 ? `${dropped} dropped` : '',
                    rewritten > 0 ? `${rewritten} shortened` : '',
                  ]
                    .filter((part) => part !== '')
                    .join(', ')}`
                : reason === undefined
                  ? statusWords(status)
                  : stageReasonWords(reason)}
            </span>
          </li>
        ))}
      </ol>
      {relevance !== null && (
        <p class="fine">
          {plural(relevance.asked, 'question')} asked, {formatTokens(relevance.answered)} answered,{' '}
          {formatTokens(relevance.flagged)} confidently not needed,{' '}
          {formatTokens(relevance.dropped)} went
          {relevance.capHit ? '; a cap kept the others' : ''}. Needed messages lost, by expectation:{' '}
          {relevance.expectedNeededLost.toFixed(2)}.
          {relevance.failOpen !== undefined &&
            ` The model could not be had (${relevance.failOpen}); what it did not answer stays.`}
          {result.isReplay &&
            relevance.answered < relevance.asked &&
            ' Some were not judged in the recorded run, and stay.'}
        </p>
      )}
      {summary?.gate !== undefined && (
        <p class="fine">
          The summary was {summary.accepted ? 'accepted' : 'refused'}
          {summary.gate.preserves !== undefined &&
            `; P(keeps what matters) ${summary.gate.preserves.probability.toFixed(2)}`}
          {summary.gate.isRefusal !== undefined &&
            `; P(is no summary) ${summary.gate.isRefusal.probability.toFixed(2)}`}
          {summary.gate.failOpen !== undefined && `; not judged (${summary.gate.failOpen})`}.
        </p>
      )}
    </section>
  )
}
