import type { InspectorStore, State } from '../state/inspector-store.ts'

/** Asked for where the service wants one. It lives in this page's memory, and goes with it. */
export function KeyField({ state, store }: { state: State; store: InspectorStore }) {
  const { service, key, problem } = state
  const isRefused = problem?.code === 'unauthorized'
  if (service?.keyRequired !== true && !isRefused) return null
  return (
    <label class="key">
      API key
      <input
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={key}
        aria-invalid={isRefused}
        placeholder="kept in this tab only"
        onInput={(event) => store.setKey(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') store.ask()
        }}
      />
    </label>
  )
}
