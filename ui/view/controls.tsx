import { PROFILE_NAMES } from '../../src/engine/options.ts'
import { formatBytes, plural } from '../data/numbers.ts'
import type { Input } from '../data/read-input.ts'
import type { InspectorStore, State } from '../state/inspector-store.ts'
import { TargetControl } from './target-control.tsx'
import { ThresholdControls } from './threshold-controls.tsx'

interface ControlsProps {
  readonly state: State
  readonly store: InspectorStore
  readonly input: Input
}

export function Controls({ state, store, input }: ControlsProps) {
  const { settings, service, result, working } = state
  const { request } = settings
  const defaultProfile = service?.defaultProfile ?? ''
  return (
    <aside class="controls" aria-label="Settings">
      <section>
        <h2 class="name" title={input.name}>
          {input.name}
        </h2>
        <p class="fine">
          {[
            plural(input.items.length, 'message'),
            formatBytes(input.characters),
            result?.answer.format ?? '',
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
        {input.ignored.length > 0 && (
          <p class="fine">
            Not part of the conversation, and left out: {input.ignored.slice(0, 6).join(', ')}
            {input.ignored.length > 6 ? '…' : ''}
          </p>
        )}
        <div class="buttons">
          <button
            type="button"
            class="primary"
            onClick={store.ask}
            aria-keyshortcuts="Control+Enter"
          >
            {working === 'asking' ? 'Asking…' : 'Ask the models'}
          </button>
          <button type="button" onClick={store.clear}>
            Put away
          </button>
        </div>
      </section>
      <TargetControl target={settings.target} result={result} store={store} />
      <ThresholdControls state={state} store={store} />
      <details class="more">
        <summary>Profile, format, model, request</summary>
        <label>
          Profile
          <select
            value={settings.profile}
            onChange={(event) =>
              store.changeSettings({
                profile: PROFILE_NAMES.find((name) => name === event.currentTarget.value) ?? '',
              })
            }
          >
            <option value="">{`the service's own${defaultProfile === '' ? '' : ` (${defaultProfile})`}`}</option>
            {PROFILE_NAMES.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Format
          <select
            value={settings.format}
            onChange={(event) => store.changeSettings({ format: event.currentTarget.value })}
          >
            <option value="">by its structure</option>
            {(service?.formats ?? []).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Model, for counting
          <input
            type="text"
            value={settings.model}
            spellcheck={false}
            placeholder="the format's usual"
            onInput={(event) => store.changeSettings({ model: event.currentTarget.value })}
          />
        </label>
        <label>
          Current request
          <select
            value={request.by}
            onChange={(event) => {
              const by = event.currentTarget.value
              store.changeSettings({
                request: by === 'text' ? { by, text: '' } : { by: by === 'none' ? 'none' : 'last' },
              })
            }}
          >
            <option value="last">the last user message</option>
            <option value="text">this text</option>
            <option value="none">not known: nothing is judged</option>
          </select>
        </label>
        {request.by === 'text' && (
          <label>
            Text of the request
            <textarea
              rows={3}
              value={request.text}
              onInput={(event) =>
                store.changeSettings({ request: { by: 'text', text: event.currentTarget.value } })
              }
            />
          </label>
        )}
      </details>
    </aside>
  )
}
