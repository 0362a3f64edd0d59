import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import { lastUserEntry, protect, spokenText } from '../../../src/engine/protection.ts'
import {
  assistant,
  buildTranscript,
  calling,
  type EntrySpec,
  exchange,
  instructions,
  marker,
  resultPart,
  textPart,
  user,
} from '../../helpers/transcript-builder.ts'

function protectionOf(
  specs: readonly EntrySpec[],
  protectRecent = 0,
  pins: readonly number[] = [],
) {
  const transcript = buildTranscript(specs)
  return protect({
    transcript,
    groups: closeLinks(transcript),
    protectRecent,
    pins: new Set(pins),
  })
}

function reasonsOf(specs: readonly EntrySpec[], protectRecent = 0, pins: readonly number[] = []) {
  const protection = protectionOf(specs, protectRecent, pins)
  return specs.map((_, index) => protection.reason(index))
}

const CHAT = [user('task'), assistant('a'), user('b'), assistant('c'), user('d'), assistant('e')]

describe('protect', () => {
  it('pins instructions wherever they stand', () => {
    expect(reasonsOf([user('a'), instructions('b'), user('c'), assistant('d')])).toEqual([
      'first-task',
      'instructions',
      'current-request',
      undefined,
    ])
  })

  it('pins the first task and the current request, not what is between them', () => {
    expect(reasonsOf(CHAT)).toEqual([
      'first-task',
      undefined,
      undefined,
      undefined,
      'current-request',
      undefined,
    ])
  })

  it('takes text that a harness injects for no task, and keeps it only where it begins', () => {
    const injected = [user('[system] context'), user('[system] more')]
    expect(reasonsOf([...injected, user('task'), assistant('a'), user('b')])).toEqual([
      'first-task',
      undefined,
      'first-task',
      undefined,
      'current-request',
    ])
  })

  it('takes no summary, skill, marker, blank or bare tool result for a task', () => {
    const specs = [
      user('s', { flags: { summary: true } }),
      user('k', { flags: { skill: true } }),
      marker(3),
      user('  \n'),
      ...exchange('c1', 'out'),
      user('task'),
      assistant('a'),
      user('now'),
      assistant('b'),
    ]
    expect(reasonsOf(specs)).toEqual([
      'summary',
      'skill',
      undefined,
      undefined,
      undefined,
      undefined,
      'first-task',
      undefined,
      'current-request',
      undefined,
    ])
  })

  it('hears the user beside tool results, and in media without text', () => {
    const beside: EntrySpec = {
      role: 'tool',
      parts: [resultPart('c1', 'out'), textPart('do this')],
    }
    const image: EntrySpec = { role: 'user', parts: [{ kind: 'media', text: '[image]' }] }
    const protection = protectionOf([calling([{ callId: 'c1' }]), beside, assistant('a'), image])
    expect(protection.reason(1)).toBe('first-task')
    expect(protection.currentRequest).toBe(3)
  })

  it('pins calls without a result, and what the caller names', () => {
    const specs = [
      user('task'),
      calling([{ callId: 'open' }]),
      user('b'),
      assistant('c'),
      user('d'),
    ]
    expect(reasonsOf(specs, 0, [3])).toEqual([
      'first-task',
      'unresolved-call',
      undefined,
      'caller-pin',
      'current-request',
    ])
  })

  it.each([
    [0, []],
    [1, [5]],
    [2, [4, 5]],
    [5, [1, 2, 3, 4, 5]],
    [6, [0, 1, 2, 3, 4, 5]],
    [99, [0, 1, 2, 3, 4, 5]],
  ])('protects the newest %d messages', (protectRecent, expected) => {
    const specs = Array.from({ length: 6 }, (_, index) => assistant(`m${index}`))
    const reasons = reasonsOf(specs, protectRecent)
    const tail = reasons.flatMap((reason, index) => (reason === 'protected-tail' ? [index] : []))
    expect(tail).toEqual(expected)
  })

  it('does not count markers into the tail, and never pins one', () => {
    const specs = [assistant('a'), assistant('b'), marker(4), assistant('c')]
    expect(reasonsOf(specs, 2, [2])).toEqual([
      undefined,
      'protected-tail',
      undefined,
      'protected-tail',
    ])
  })

  it('extends a pin over links, also over those of links', () => {
    const specs = [
      ...exchange('c1', 'out'),
      user('a', { links: ['x', 'y'] }),
      assistant('b', { links: ['y'] }),
      assistant('c', { links: ['x'] }),
      assistant('d'),
    ]
    expect(reasonsOf(specs, 0, [1, 4])).toEqual([
      'linked',
      'caller-pin',
      'first-task',
      'linked',
      'caller-pin',
      undefined,
    ])
  })

  it('ranks levels: pins are fixed, the tail fixed for the user and held for the rest', () => {
    const specs = [
      instructions('i'),
      ...exchange('c1', 'out'),
      assistant('free'),
      user('mine'),
      user('said'),
      assistant('answer'),
    ]
    const protection = protectionOf(specs, 3, [2])
    expect(specs.map((_, index) => protection.level(index))).toEqual([
      'fixed',
      'held',
      'fixed',
      'free',
      'fixed',
      'fixed',
      'held',
    ])
  })

  it('holds a user message of the tail that is neither first nor last', () => {
    const protection = protectionOf([user('a'), user('b'), user('c')], 2)
    expect(protection.reason(1)).toBe('protected-tail')
    expect(protection.level(1)).toBe('fixed')
  })

  it('pins the only message, and nothing in an empty conversation', () => {
    expect(reasonsOf([user('only')])).toEqual(['first-task'])
    expect(protectionOf([]).currentRequest).toBeUndefined()
    expect(protectionOf([]).level(0)).toBe('free')
  })

  it('has no task and no request where the user never speaks', () => {
    expect(reasonsOf([assistant('a'), assistant('b')])).toEqual([undefined, undefined])
  })
})

describe('lastUserEntry', () => {
  it('is the newest message in which the user says something', () => {
    const { entries } = buildTranscript([user('a'), user('b'), assistant('c'), user(' ')])
    expect(lastUserEntry(entries)).toBe(1)
  })
})

describe('spokenText', () => {
  const spoken = (spec: EntrySpec) => {
    const [entry] = buildTranscript([spec]).entries
    return entry === undefined ? undefined : spokenText(entry)
  }

  it('leaves out the tool results that ride along', () => {
    const parts = [resultPart('c1', 'out'), textPart('do this'), textPart('and that')]
    expect(spoken({ role: 'tool', parts })).toBe('do this\nand that')
  })

  it('is the label where the user sent no text', () => {
    expect(spoken({ role: 'user', parts: [{ kind: 'media', text: '[image]' }] })).toBe('[image]')
  })
})
