/** All that the page knows and does; the views show it and call it. */
import type { Answer, Problem, Recording, ServiceSettings } from '../data/answer.ts'
import { formatTokens, plural } from '../data/numbers.ts'
import { type Input, isProblem, readInput } from '../data/read-input.ts'
import { type MessageRow, rowsOf } from '../data/rows.ts'
import { type Compaction, fetchExample, fetchSettings, postCompact } from '../data/service.ts'
import {
  compactBody,
  FIRST_SETTINGS,
  measureBody,
  type Settings,
  settingsOf,
  type Thresholds,
} from './request-body.ts'

export interface Result {
  readonly answer: Answer
  readonly rows: readonly MessageRow[]
  readonly conversationText: string
  readonly milliseconds: number
  /** Whether the models were asked, or answered from the recording. */
  readonly isReplay: boolean
  readonly recording: Recording
  /** What came of the last run in which the models were asked. */
  readonly asked: Answer
}

export interface State {
  readonly service: ServiceSettings | undefined
  /** In memory only. */
  readonly key: string
  readonly input: Input | undefined
  readonly settings: Settings
  readonly thresholds: Thresholds
  readonly working: 'asking' | 'replaying' | undefined
  readonly result: Result | undefined
  readonly problem: Problem | undefined
  /** For those who hear the page. */
  readonly said: string
}

export interface InspectorStore {
  readonly state: () => State
  /** Returns what ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
  readonly loadText: (text: string, name: string) => void
  readonly loadExample: () => Promise<void>
  readonly clear: () => void
  readonly setKey: (key: string) => void
  readonly changeSettings: (change: Partial<Settings>) => void
  readonly changeThresholds: (change: Thresholds) => void
  readonly resetThresholds: () => void
  readonly ask: () => void
  readonly say: (text: string) => void
}

type Work = 'asking' | 'replaying'

/** A slider is let go of within this time; a text takes longer to write. */
const REPLAY_DELAY_MS = 120
const ASK_DELAY_MS = 500

const FIRST_STATE: State = {
  service: undefined,
  key: '',
  input: undefined,
  settings: FIRST_SETTINGS,
  thresholds: {},
  working: undefined,
  result: undefined,
  problem: undefined,
  said: '',
}

export function createInspectorStore(): InspectorStore {
  let state = FIRST_STATE
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let pending: Work | undefined
  let running: AbortController | undefined
  /** Tokens of the conversation, by what they are counted by. */
  let measured: { readonly by: string; readonly tokens: number } | undefined

  const set = (change: Partial<State>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  const stop = (): void => {
    clearTimeout(timer)
    pending = undefined
    running?.abort()
    running = undefined
  }

  const schedule = (work: Work, delay: number): void => {
    if (state.input === undefined) return
    // What needs the models asked is not forgotten because something else was moved as well.
    pending = pending === 'asking' || work === 'asking' ? 'asking' : 'replaying'
    clearTimeout(timer)
    timer = setTimeout(() => {
      void run(pending ?? work)
    }, delay)
  }

  const countedBy = ({ format, model }: Settings): string => `${format}\n${model}`

  const targetTokens = async (
    input: Input,
    { target, ...settings }: Settings,
    signal: AbortSignal,
  ): Promise<number | undefined> => {
    if (target.by === 'window') return undefined
    if (target.by === 'tokens') return target.tokens
    const by = countedBy({ target, ...settings })
    if (measured?.by !== by) {
      const body = measureBody(input, { target, ...settings })
      const { answer } = await postCompact(body, state.key, signal)
      measured = { by, tokens: answer.tokensBefore }
    }
    return Math.max(1, Math.round((measured.tokens * target.percent) / 100))
  }

  const run = async (work: Work): Promise<void> => {
    const { input, settings, thresholds, result } = state
    if (input === undefined) return
    stop()
    const controller = new AbortController()
    running = controller
    const replay = work === 'replaying' ? result?.recording : undefined
    set({ working: replay === undefined ? 'asking' : 'replaying' })
    try {
      const target = await targetTokens(input, settings, controller.signal)
      const body = compactBody({
        input,
        settings,
        thresholds,
        targetTokens: target,
        ...(replay !== undefined && { replay }),
      })
      const compaction = await postCompact(body, state.key, controller.signal)
      measured = { by: countedBy(settings), tokens: compaction.answer.tokensBefore }
      const next = toResult(input, compaction, replay === undefined ? undefined : result)
      set({ result: next, problem: undefined, working: undefined, said: outcomeWords(next) })
    } catch (error) {
      if (controller.signal.aborted) return
      const problem = toProblem(error)
      // The box that shows it is read out by itself.
      set({ problem, working: undefined, said: '' })
    }
  }

  const load = (input: Input): void => {
    stop()
    measured = undefined
    const settings = settingsOf(input)
    set({ input, settings, thresholds: {}, result: undefined, problem: undefined })
    void run('asking')
  }

  const loadText = (text: string, name: string): void => {
    const read = readInput(text, name)
    if (!isProblem(read)) load(read)
    else set({ problem: read, said: '' })
  }

  void fetchSettings().then(
    (service) => set({ service }),
    () => undefined,
  )

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    loadText,
    loadExample: async () => loadText(await fetchExample(), 'the bundled example'),
    clear: () => {
      stop()
      const { service, key } = state
      set({ ...FIRST_STATE, service, key, said: 'The conversation was put away.' })
    },
    setKey: (key) => set({ key }),
    changeSettings: (change) => {
      set({ settings: { ...state.settings, ...change } })
      const onlyTarget = Object.keys(change).every((name) => name === 'target')
      const mayReplay = onlyTarget && hasAnswers(state.result)
      if (mayReplay) schedule('replaying', REPLAY_DELAY_MS)
      else schedule('asking', ASK_DELAY_MS)
    },
    changeThresholds: (change) => {
      set({ thresholds: { ...state.thresholds, ...change } })
      schedule('replaying', REPLAY_DELAY_MS)
    },
    resetThresholds: () => {
      set({ thresholds: {} })
      schedule('replaying', REPLAY_DELAY_MS)
    },
    ask: () => {
      if (state.input !== undefined) void run('asking')
    },
    say: (said) => set({ said }),
  }
}

/** Where no model was asked because the target was met, a lower target has nothing to go by. */
function hasAnswers(result: Result | undefined): boolean {
  if (result === undefined) return false
  const { decide } = result.recording
  return decide === null || decide.calls.length > 0
}

const NOTHING_RECORDED: Recording = { decide: null, summarize: null }

function toResult(input: Input, compaction: Compaction, before: Result | undefined): Result {
  const { answer, conversationText, milliseconds } = compaction
  return {
    answer,
    rows: rowsOf(input, answer),
    conversationText,
    milliseconds,
    isReplay: before !== undefined,
    recording: before?.recording ?? answer.recording ?? NOTHING_RECORDED,
    asked: before?.asked ?? answer,
  }
}

function outcomeWords({ answer, rows, isReplay }: Result): string {
  const dropped = rows.filter(({ fate }) => fate === 'dropped').length
  return [
    isReplay ? 'From the recorded answers:' : 'The models were asked:',
    `${formatTokens(answer.tokensBefore)} to ${formatTokens(answer.tokensAfter)} tokens,`,
    `${plural(dropped, 'message')} dropped,`,
    answer.fits ? 'it fits.' : 'it does not fit.',
  ].join(' ')
}

function toProblem(error: unknown): Problem {
  if (typeof error === 'object' && error !== null && 'title' in error) return error as Problem
  return {
    title: 'This page failed',
    detail: error instanceof Error ? error.message : 'It does not know why.',
    errors: [],
  }
}
