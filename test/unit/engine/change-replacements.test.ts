import { describe, expect, it } from 'vitest'
import { prepareChange } from '../../../src/engine/change.ts'
import type { Edit } from '../../../src/engine/edit.ts'
import { fakePorts } from '../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  countByLength,
  type EntrySpec,
  exchange,
  instructions,
  ofTokens,
  resultPart,
  user,
} from '../../helpers/transcript-builder.ts'
import { stageInput } from './stage-input.ts'

const OUTPUT = ofTokens(50, 'output')

const replace = (entry: number, text: string, part = 0): Edit => ({
  op: 'replace-text',
  entry,
  part,
  text,
  reason: 'old-tool-output',
})

function contextOf(specs: readonly EntrySpec[], pins: readonly number[] = [], protectRecent = 0) {
  const options = { protectRecent }
  return { ...stageInput(buildTranscript(specs), { target: 1, pins, options }), ports: fakePorts() }
}

const SPECS = [user('task'), ...exchange('c1', OUTPUT), assistant('so'), user('now')]

describe('the replacements of prepareChange', () => {
  it('are counted by the counter that is reported', () => {
    const { change, why } = prepareChange(
      'prune',
      [replace(2, 'gone')],
      undefined,
      contextOf(SPECS),
    )
    expect(change.replacements).toEqual(
      new Map([
        [2, new Map([[0, { text: 'gone', tokens: countByLength('gone'), bytesSaved: 0 }]])],
      ]),
    )
    expect(why.get(2)).toEqual({ stage: 'prune', reason: 'old-tool-output' })
  })

  it.each([
    ['longer', ofTokens(51, 'more')],
    ['as long', ofTokens(50, 'same')],
  ])('are left out where the new text is %s', (_, text) => {
    const { change, why } = prepareChange('prune', [replace(2, text)], undefined, contextOf(SPECS))
    expect(change.replacements.size).toBe(0)
    expect(why.size).toBe(0)
  })

  it('are measured against what an earlier stage has left', () => {
    const context = contextOf(SPECS)
    context.state.apply({
      drops: new Set(),
      replacements: new Map([[2, new Map([[0, { text: 'cut', tokens: 10, bytesSaved: 0 }]])]]),
    })
    const propose = (tokens: number) =>
      prepareChange('prune', [replace(2, ofTokens(tokens, 'x'))], undefined, context).change
        .replacements
    expect(propose(10).size).toBe(0)
    expect(propose(9).size).toBe(1)
  })

  it('are left out in a message that the same change drops', () => {
    const edits: Edit[] = [replace(2, 'gone'), { op: 'drop', entry: 1, reason: 'oldest' }]
    const { change, why } = prepareChange('truncate', edits, undefined, contextOf(SPECS))
    expect(change.replacements.size).toBe(0)
    expect(why.get(2)?.reason).toBe('linked')
  })

  it('are left out where the message is gone, or has no such part', () => {
    const context = contextOf(SPECS)
    context.state.apply({ drops: new Set([3]), replacements: new Map() })
    const edits = [replace(3, ''), replace(2, '', 7), replace(99, '')]
    expect(prepareChange('prune', edits, undefined, context).change.replacements.size).toBe(0)
  })

  it('never touch a part that may not be rewritten', () => {
    const specs = [user('task'), ...exchange('c1', OUTPUT), user('now')]
    const signed: EntrySpec = {
      role: 'tool',
      parts: [resultPart('c1', OUTPUT, { rewritable: false })],
    }
    const context = contextOf(specs.with(2, signed))
    const { change } = prepareChange('prune', [replace(2, 'x'), replace(1, '')], undefined, context)
    expect(change.replacements.size).toBe(0)
  })

  it('never touch a pin, or what the user says in the tail', () => {
    const specs = [
      instructions(OUTPUT),
      user(OUTPUT),
      assistant(OUTPUT),
      user(OUTPUT),
      user(OUTPUT),
    ]
    const edits = specs.map((_, index) => replace(index, 'x'))
    const context = contextOf(specs, [2], 2)
    expect(prepareChange('truncate', edits, undefined, context).change.replacements.size).toBe(0)
  })

  it('reach the outputs of the tail, which are held and not fixed', () => {
    const context = contextOf([user('task'), ...exchange('c1', OUTPUT)], [], 2)
    const { change } = prepareChange('truncate', [replace(2, 'x')], undefined, context)
    expect([...change.replacements.keys()]).toEqual([2])
  })

  it('change several parts of one message together', () => {
    const parts = [resultPart('c1', OUTPUT), resultPart('c2', OUTPUT), resultPart('c3', OUTPUT)]
    const context = contextOf([user('task'), { role: 'tool', parts }, user('now')])
    const edits = [replace(1, 'a', 0), replace(1, 'b', 2)]
    const { change } = prepareChange('prune', edits, undefined, context)
    const before = context.state.total
    context.state.apply(change)
    expect(before - context.state.total).toBe(2 * (50 - 1))
    expect([...(change.replacements.get(1)?.keys() ?? [])]).toEqual([0, 2])
  })
})
