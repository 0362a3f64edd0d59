import { useState } from 'preact/hooks'
import type { JsonValue } from '../data/answer.ts'
import { messageText, roleOf } from '../data/message-text.ts'
import { formatProbability, formatTokens } from '../data/numbers.ts'
import type { MessageRow } from '../data/rows.ts'
import { fateSentence } from '../data/words.ts'
import { fateClass } from './fate-class.ts'

/** Longer texts are shown on request: laying them out takes its time. */
const MAX_SHOWN = 20_000

export function MessageDetail({ row }: { row: MessageRow }) {
  const [asJson, setAsJson] = useState(false)
  const { action, before, after, fate } = row
  const { index, id, stage, reason, probability, confidence, tokensBefore, tokensAfter } = action
  const title = fate === 'inserted' ? `Inserted before ${index}` : `Message ${index}`
  const message = before ?? after
  return (
    <article class={`detail ${fateClass(row)}`} aria-label="Selected message">
      <header>
        <h3>{title}</h3>
        <p class="fine">
          {[message === undefined ? '' : roleOf(message), id ?? '']
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
      </header>
      <p class="sentence">{fateSentence(action)}</p>
      <dl class="numbers">
        {stage !== undefined && <Fact name="stage" value={stage} />}
        <Fact name="reason" value={reason} />
        {probability !== undefined && (
          <Fact name="P(needed)" value={formatProbability(probability)} />
        )}
        {confidence !== undefined && <Fact name="confidence" value={confidence.toFixed(2)} />}
        <Fact
          name="tokens"
          value={
            tokensBefore === tokensAfter
              ? formatTokens(tokensBefore)
              : `${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)}`
          }
        />
      </dl>
      <label class="choice">
        <input
          type="checkbox"
          checked={asJson}
          onChange={(event) => setAsJson(event.currentTarget.checked)}
        />
        Show as JSON
      </label>
      {before !== undefined && (
        <Text key={`before ${row.place}`} name="Before" message={before} asJson={asJson} />
      )}
      {after !== undefined && fate !== 'kept' && (
        <Text key={`after ${row.place}`} name="After" message={after} asJson={asJson} />
      )}
      {fate === 'kept' && <p class="fine">It came back as it was, to the byte.</p>}
    </article>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

interface TextProps {
  readonly name: string
  readonly message: JsonValue
  readonly asJson: boolean
}

function Text({ name, message, asJson }: TextProps) {
  const [isWhole, setWhole] = useState(false)
  const text = asJson ? JSON.stringify(message, null, 2) : messageText(message)
  const isCut = !isWhole && text.length > MAX_SHOWN
  return (
    <section class="text-block">
      <h4>{name}</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard has to reach it */}
      <pre tabIndex={0}>{isCut ? `${text.slice(0, MAX_SHOWN)}…` : text}</pre>
      {isCut && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {formatTokens(text.length)} characters
        </button>
      )}
    </section>
  )
}
