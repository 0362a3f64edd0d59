import { describe, expect, it } from 'vitest'
import { buildRecallSessions } from '../../../eval/embedded-model/agent/recall-sessions.ts'
import { ACTS, COMPONENTS, THINGS } from '../../../eval/embedded-model/agent/vocabulary.ts'
import { buildWorkSessions } from '../../../eval/embedded-model/agent/work-sessions.ts'
import { buildPlantedSession } from '../../../eval/measurements/planted/build-session.ts'
import { SERVICES } from '../../../eval/measurements/planted/noise.ts'

const DIALOGUES = [
  { history: [{ user: 'Tell me of owls.', bot: 'Owls hunt at night. They fly without a sound.' }] },
]
const recalls = buildRecallSessions(DIALOGUES, 40, 3)
const works = buildWorkSessions(40, 4)

describe('sessions for the fit', () => {
  it('are the same for the same seed', () => {
    expect(buildRecallSessions(DIALOGUES, 40, 3)).toEqual(recalls)
    expect(buildWorkSessions(40, 4)).toEqual(works)
  })

  it('need something that is judged, and not everything', () => {
    for (const { turns, recent = 0, kind } of recalls) {
      const needed = turns.slice(0, -recent).filter((turn) => turn.needed)
      expect(needed.length, kind).toBeGreaterThan(0)
      expect(needed.length).toBeLessThan(turns.length / 2)
    }
  })

  it('need the newest reading of a file and what was changed since, and no older reading', () => {
    const asked = works.filter(({ kind }) => kind === 'file')
    expect(asked.length).toBeGreaterThan(0)
    for (const { turns } of asked) {
      const needed = turns.filter((turn) => turn.needed)
      const readings = needed.filter(({ text }) => /^open\(/m.test(text))
      expect(readings.length).toBeLessThanOrEqual(1)
    }
  })

  it('say whether the work goes on', () => {
    expect(new Set(works.map(({ kind, isUnderWay }) => `${kind} ${isUnderWay}`))).toEqual(
      new Set(['work true', 'file false', 'failure false']),
    )
  })

  it('share no name, tool or sentence with the measurement of planted facts', () => {
    const measured = JSON.stringify(buildPlantedSession(12_000, 31).messages)
    for (const component of COMPONENTS) {
      expect(SERVICES as readonly string[]).not.toContain(component)
      expect(measured).not.toContain(component)
    }
    const fitted = JSON.stringify([recalls, works])
    for (const tool of ['read_file', 'search(', 'npm test']) expect(fitted).not.toContain(tool)
    expect(THINGS.length + ACTS.length).toBeGreaterThan(40)
  })
})
