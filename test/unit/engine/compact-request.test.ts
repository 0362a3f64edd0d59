import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact.ts'
import { resolveOptions } from '../../../src/engine/options.ts'
import { fakeDecide, fakePorts } from '../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  ofTokens,
  resultPart,
  textPart,
  user,
} from '../../helpers/transcript-builder.ts'

const CHAT = [
  user('task'),
  ...Array.from({ length: 10 }, (_, index) => assistant(ofTokens(96, `m${index}`))),
  user('now'),
]

describe('the current request of compact', () => {
  const ask = async (specs: readonly EntrySpec[], currentRequest: string | null | undefined) => {
    const decide = fakeDecide({ relevance: {} })
    const report = await compact(
      {
        transcript: buildTranscript(specs),
        target: 600,
        options: resolveOptions('neurolink', { protectRecent: 2 }),
        currentRequest,
        pins: new Set(),
        explain: 'none',
      },
      fakePorts({ decide }),
    )
    return { asked: decide.requests[0]?.state.fields.current_request, status: report.stages[0] }
  }

  it('is what the caller says, or what the user said last', async () => {
    expect((await ask(CHAT, 'something else')).asked).toBe('something else')
    expect((await ask(CHAT, undefined)).asked).toBe('now')
  })

  it('leaves out tool results that ride along with what the user says', async () => {
    const last: EntrySpec = {
      role: 'tool',
      parts: [resultPart('c1', 'out'), textPart('and now this')],
    }
    expect((await ask([...CHAT, last], undefined)).asked).toBe('and now this')
  })

  it.each<[string, readonly EntrySpec[], string | null | undefined]>([
    ['null', CHAT, null],
    ['blank', CHAT, ' '],
    ['not to be found', CHAT.filter(({ role }) => role !== 'user'), undefined],
  ])('is not known where it is %s, so that nothing is judged', async (_, specs, currentRequest) => {
    const { asked, status } = await ask(specs, currentRequest)
    expect(asked).toBeUndefined()
    expect(status).toMatchObject({ status: 'skipped', reason: 'no-current-request' })
  })
})
