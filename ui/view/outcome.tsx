import { useState } from 'preact/hooks'
import { copyText, downloadText } from '../data/hand-over.ts'
import { formatPercent, formatTokens, plural } from '../data/numbers.ts'
import type { Input } from '../data/read-input.ts'
import type { InspectorStore, Result, State } from '../state/inspector-store.ts'

interface OutcomeProps {
  readonly result: Result
  readonly input: Input
  readonly store: InspectorStore
  readonly working: State['working']
}

export function Outcome({ result, input, store, working }: OutcomeProps) {
  const { answer, rows, conversationText, asked } = result
  const { tokensBefore, tokensAfter, tokensSaved, fits, outcome, warnings } = answer
  const [copied, setCopied] = useState('')
  const dropped = rows.filter(({ fate }) => fate === 'dropped').length
  const difference = tokensAfter - asked.tokensAfter
  return (
    <section class="outcome" aria-label="Outcome">
      <p class="headline">
        <b>{formatTokens(tokensBefore)}</b>
        <span aria-hidden="true">→</span>
        <span class="heard">to</span>
        <b>{formatTokens(tokensAfter)}</b> tokens
        <span class={fits ? 'badge good' : 'badge bad'}>{fits ? 'fits' : 'does not fit'}</span>
        <span class="badge">{outcome}</span>
      </p>
      <p class="facts">
        {formatPercent(tokensSaved, tokensBefore)} saved · {plural(dropped, 'message')} dropped ·{' '}
        {plural(rows.filter(({ fate }) => fate === 'rewritten').length, 'message')} shortened
        {result.isReplay && difference !== 0 && (
          <span class="difference">
            {' '}
            · {difference > 0 ? '+' : '−'}
            {formatTokens(Math.abs(difference))} against the run that asked
          </span>
        )}
      </p>
      <p class="fine">{sourceWords(result, working)}</p>
      <div class="buttons">
        <button
          type="button"
          onClick={() => {
            void copyText(conversationText).then((done) => {
              const said = done
                ? 'The conversation was copied.'
                : 'The browser does not let this page copy.'
              setCopied(done ? 'Copied' : 'Not allowed')
              store.say(said)
              setTimeout(() => setCopied(''), 2_000)
            })
          }}
        >
          {copied === '' ? 'Copy the conversation' : copied}
        </button>
        <button
          type="button"
          onClick={() => downloadText(reportText(result, input), 'precis-report.json')}
        >
          Download the report
        </button>
      </div>
      {warnings.length > 0 && (
        <ul class="warnings" aria-label="Warnings">
          {warnings.map(({ code, message, pointer }) => (
            <li key={`${code} ${pointer ?? ''} ${message}`}>
              {message} <code>{pointer ?? code}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function sourceWords(
  { answer, isReplay, milliseconds }: Result,
  working: State['working'],
): string {
  if (working === 'asking') return 'Asking the models…'
  const took = `${Math.max(1, Math.round(milliseconds))} ms`
  const model = answer.relevance?.model
  if (isReplay) return `Decided from recorded answers in ${took}; no model was asked.`
  if (model === undefined) return `Answered in ${took}; no model judged.`
  const asked = answer.relevance?.asked ?? 0
  return `Answered in ${took}; ${model} was asked ${plural(asked, 'question')}.`
}

/** What the service said, without the conversation, which has a button of its own. */
function reportText({ answer, recording }: Result, { name }: Input): string {
  const { messages: _messages, input: _input, contents: _contents, ...report } = answer
  return `${JSON.stringify({ conversation: name, ...report, recording }, null, 2)}\n`
}
