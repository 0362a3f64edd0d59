import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatTokens } from '../data/numbers.ts'
import type { Input } from '../data/read-input.ts'
import { createInspectorStore, type InspectorStore, type State } from '../state/inspector-store.ts'
import { Controls } from './controls.tsx'
import { KeyField } from './key-field.tsx'
import { OpenConversation } from './open-conversation.tsx'
import { ProblemBox } from './problem-box.tsx'
import { ResultView } from './result-view.tsx'

const store = createInspectorStore()

export function Inspector() {
  const state = useStore(store)
  const { input, result, problem, service, said } = state
  const main = useRef<HTMLElement>(null)
  useShortcut(store)
  useFocus(main, input)
  const isOver = useDrop(store)
  return (
    <div class={isOver ? 'page over' : 'page'}>
      {result !== undefined && (
        <a class="skip" href="#messages">
          Skip to the messages
        </a>
      )}
      <header class="top">
        <h1>
          Precis <span>inspector</span>
        </h1>
        <p class="hint">
          {service === undefined
            ? ''
            : `${service.version} · ${service.decide === null ? 'no decide model' : service.decide.model}`}
        </p>
        {result !== undefined && (
          <p class="glance" aria-hidden="true">
            {formatTokens(result.answer.tokensBefore)} → {formatTokens(result.answer.tokensAfter)}
          </p>
        )}
        <KeyField state={state} store={store} />
      </header>
      <div class={input === undefined ? 'body start' : 'body'}>
        {input === undefined ? (
          <main class="opening" ref={main} tabIndex={-1}>
            {problem !== undefined && <ProblemBox problem={problem} input={undefined} />}
            <OpenConversation store={store} />
          </main>
        ) : (
          <>
            <Controls state={state} store={store} input={input} />
            <main
              class={problem !== undefined && result !== undefined ? 'work stale' : 'work'}
              ref={main}
              tabIndex={-1}
              aria-busy={state.working !== undefined}
            >
              {problem !== undefined && (
                <ProblemBox problem={problem} input={input} isStale={result !== undefined} />
              )}
              {result === undefined ? (
                problem === undefined && <p class="waiting">Asking the service…</p>
              ) : (
                <ResultView result={result} input={input} state={state} store={store} />
              )}
            </main>
          </>
        )}
      </div>
      <p class="heard" role="status">
        {said}
      </p>
    </div>
  )
}

/** Whoever opened a conversation, or put one away, goes on where it is shown, or where the next one goes. */
function useFocus(main: RefObject<HTMLElement | null>, input: Input | undefined): void {
  const before = useRef(input)
  useEffect(() => {
    if (before.current !== input) main.current?.focus()
    before.current = input
  }, [main, input])
}

/**
 * A file that is dropped anywhere is read; left to itself the browser would leave the page for it. As all that
 * listens, a layout effect: the others run after the first paint, and what came before it would be missed.
 */
function useDrop({ loadText }: InspectorStore): boolean {
  const [isOver, setOver] = useState(false)
  useLayoutEffect(() => {
    const onOver = (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }
    const onLeave = (event: DragEvent) => {
      // Between two elements of the page there is another one; outside there is none.
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const file = event.dataTransfer?.files[0]
      void file?.text().then((text) => loadText(text, file.name))
    }
    addEventListener('dragover', onOver)
    addEventListener('dragleave', onLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
    }
  }, [loadText])
  return isOver
}

function useStore({ state, subscribe }: InspectorStore): State {
  const [shown, show] = useState(state)
  useLayoutEffect(() => subscribe(() => show(state())), [state, subscribe])
  return shown
}

function useShortcut({ ask }: InspectorStore): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      ask()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [ask])
}
