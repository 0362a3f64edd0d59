import { useRef, useState } from 'preact/hooks'
import type { InspectorStore } from '../state/inspector-store.ts'

/** Longer texts are read as they are pasted: a text field would take seconds to lay them out. */
const MAX_FIELD = 100_000

export function OpenConversation({ store }: { store: InspectorStore }) {
  const [text, setText] = useState('')
  const file = useRef<HTMLInputElement>(null)
  const readFile = async (chosen: File | undefined) => {
    if (chosen !== undefined) store.loadText(await chosen.text(), chosen.name)
  }
  return (
    <form
      class="open"
      onSubmit={(event) => {
        event.preventDefault()
        store.loadText(text, 'pasted text')
      }}
    >
      <h2>What happened to a conversation?</h2>
      <p>
        Paste it or drop a file: the body of a request to a provider, its list of messages, a whole{' '}
        <code>/compact</code> body, or a session of Claude Code (JSON lines). It is sent to this
        service and nowhere else, and kept nowhere.
      </p>
      <label for="conversation">Conversation as JSON</label>
      <textarea
        id="conversation"
        rows={9}
        spellcheck={false}
        value={text}
        placeholder={'{ "messages": [ … ] }'}
        onInput={(event) => setText(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData('text') ?? ''
          if (pasted.length <= MAX_FIELD) return
          event.preventDefault()
          store.loadText(pasted, 'pasted text')
        }}
      />
      <div class="buttons">
        <button type="submit" class="primary" disabled={text.trim() === ''}>
          Inspect
        </button>
        <button type="button" onClick={() => file.current?.click()}>
          Choose a file…
        </button>
        <button type="button" onClick={() => void store.loadExample()}>
          Load the example
        </button>
        <input
          ref={file}
          type="file"
          accept=".json,.jsonl,application/json"
          class="heard"
          tabIndex={-1}
          aria-label="File with a conversation"
          onChange={(event) => {
            void readFile(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </div>
    </form>
  )
}
