/** Point 7 of the measurements: files that a Claude Code session reads again after its own compaction. */
import { basename, join } from 'node:path'
import type { OptionOverrides, ProfileName } from '../../src/engine/options.ts'
import type { Context, Measurement } from '../lib/context.ts'
import { WITHOUT_DECIDER } from '../lib/deciders.ts'
import { estimateRatio, type Ratio } from '../lib/estimate.ts'
import { type Cell, number, percent, type Result, type ResultTable } from '../lib/result.ts'
import { type CompactBody, countWith, startService } from '../lib/service.ts'
import {
  keptExchanges,
  type RecordedSession,
  readRecordedSession,
} from './sessions/read-recorded-session.ts'

const SESSIONS = [1, 2, 3] as const
const SHARES = [0.5, 0.25] as const

interface Way {
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  readonly profile: ProfileName
  readonly options: OptionOverrides
}

/** Everything but truncation is off: the oldest go until the rest fits. */
const POSITION: OptionOverrides = {
  relevance: { enabled: false },
  prune: { enabled: false },
  deduplicate: { enabled: false },
}

export const recordedSessions: Measurement = { name: 'recorded-sessions', measure }

async function measure({ data, deciders }: Context): Promise<Result> {
  const sessions = SESSIONS.map((session) =>
    readRecordedSession(join(data, 'claude-code', `session-${session}.jsonl`)),
  )
  const ways: Way[] = [
    ...deciders.flatMap(({ name, environment }): Way[] => [
      { name: `agent, ${name}`, environment, profile: 'agent', options: {} },
      {
        name: `agent, ${name}, exchanges dropped`,
        environment,
        profile: 'agent',
        options: { relevance: { toolExchanges: 'drop' } },
      },
      {
        name: `agent, ${name}, repeated reads kept`,
        environment,
        profile: 'agent',
        options: { deduplicate: { enabled: false } },
      },
      { name: `neurolink, ${name}`, environment, profile: 'neurolink', options: {} },
    ]),
    { name: 'agent, no model', environment: WITHOUT_DECIDER, profile: 'agent', options: {} },
    { name: 'position', environment: WITHOUT_DECIDER, profile: 'agent', options: POSITION },
  ]
  const kept: WayKept[] = []
  for (const way of ways) kept.push({ name: way.name, runs: await runWay(way, sessions) })
  return {
    name: 'recorded-sessions',
    title: 'Claude Code sessions around their recorded compaction',
    protocol: `${sessions.length} recorded sessions, posted over HTTP up to their own compaction, the request the last thing that the user wrote. A file that is read again after the boundary was needed; its earlier exchanges (read, edit, write) are kept if call and result come back as they were. "Newest reading": of each such file that was read before, the last read before the boundary, which is what a second read would have spared. What the recorded compaction did: it kept no exchange and wrote a summary, which names a file or does not. A read that is collapsed to a later read of the same file counts as gone, so that one way leaves such reads alone. Three sessions are few: the intervals are bootstraps over files.`,
    tables: [neededTable(sessions), keptTable(sessions, kept)],
    aims: [],
    plots: [],
  }
}

interface WayKept {
  readonly name: string
  readonly runs: readonly Run[]
}

interface Run {
  readonly session: number
  readonly share: number
  readonly kept: ReadonlySet<string>
  readonly fits: boolean
}

async function runWay(
  { environment, profile, options }: Way,
  sessions: readonly RecordedSession[],
): Promise<Run[]> {
  const service = await startService(environment)
  const runs: Run[] = []
  for (const [session, { messages }] of sessions.entries()) {
    const body: CompactBody = { model: 'claude-opus-4-6', format: 'anthropic-messages', messages }
    const tokens = await countWith(service, body)
    for (const share of SHARES) {
      const targetTokens = Math.floor(tokens * share)
      const answer = await service.compact({ ...body, profile, options, targetTokens })
      const kept = keptExchanges(messages, answer.messages)
      runs.push({ session, share, kept, fits: answer.fits })
    }
  }
  await service.close()
  return runs
}

/** Files of a session that are read again, each with its earlier exchanges. */
function filesOf({ needed }: RecordedSession) {
  return [...new Set(needed.map(({ path }) => path))].map((path) => {
    const exchanges = needed.filter((one) => one.path === path)
    return { path, exchanges, newestRead: exchanges.findLast(({ tool }) => tool === 'Read') }
  })
}

function neededTable(sessions: readonly RecordedSession[]): ResultTable {
  return {
    title: 'What was needed',
    columns: [
      'session',
      'files read again',
      'of them read before',
      'earlier exchanges on them',
      'files that the recorded summary names',
    ],
    rows: sessions.map((session, index): Cell[] => {
      const files = filesOf(session)
      const named = files.filter(({ path }) => session.summary.includes(basename(path)))
      return [
        `session ${index + 1}`,
        number(files.length),
        number(files.filter(({ newestRead }) => newestRead !== undefined).length),
        number(session.needed.length),
        number(named.length),
      ]
    }),
  }
}

function keptTable(sessions: readonly RecordedSession[], ways: readonly WayKept[]): ResultTable {
  const files = sessions.map(filesOf)
  const named = sessions.flatMap((session, index) =>
    files[index]!.map(({ path }) => ratio(session.summary.includes(basename(path)) ? 1 : 0, 1)),
  )
  return {
    title: 'Needed exchanges kept',
    columns: [
      'way',
      ...SHARES.flatMap((share) => [
        `exchanges at ${100 * share}%`,
        `newest readings at ${100 * share}%`,
      ]),
      'fits',
    ],
    rows: [
      ...ways.map(({ name, runs }): Cell[] => [
        name,
        ...SHARES.flatMap((share) => {
          const own = runs.filter((run) => run.share === share)
          const exchanges = own.flatMap(({ session, kept }) =>
            files[session]!.map((file) =>
              ratio(file.exchanges.filter(({ id }) => kept.has(id)).length, file.exchanges.length),
            ),
          )
          const readings = own.flatMap(({ session, kept }) =>
            files[session]!.flatMap(({ newestRead }) =>
              newestRead === undefined ? [] : [ratio(kept.has(newestRead.id) ? 1 : 0, 1)],
            ),
          )
          return [percent(estimateRatio(exchanges)), percent(estimateRatio(readings))]
        }),
        percent(runs.filter(({ fits }) => fits).length / runs.length),
      ]),
      ['recorded compaction', ...SHARES.flatMap((): Cell[] => [percent(0), percent(0)]), ''],
    ],
    note: `The recorded summaries name ${formatShare(named)} of these files, by the name of the file; naming is not keeping.`,
  }
}

const ratio = (part: number, whole: number): Ratio => ({ part, whole })

function formatShare(units: readonly Ratio[]): string {
  return `${units.filter(({ part }) => part > 0).length} of ${units.length}`
}
