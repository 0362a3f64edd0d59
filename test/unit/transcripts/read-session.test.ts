import { describe, expect, test } from 'vitest'
import { PrecisError } from '../../../src/engine/errors.ts'
import type { ByteSource } from '../../../src/transcripts/claude-code/byte-source.ts'
import { isClaudeCodeSession } from '../../../src/transcripts/claude-code/is-session.ts'
import { readClaudeCodeSession } from '../../../src/transcripts/claude-code/read-session.ts'
import {
  assistant,
  boundary,
  call,
  pieces,
  record,
  result,
  sourceOf,
  summary,
  text,
  user,
} from './session-lines.ts'

async function read(source: ByteSource) {
  const { bytes, ...session } = await readClaudeCodeSession(source)
  return { ...session, ...(JSON.parse(bytes.toString()) as { messages: { content: unknown }[] }) }
}

async function faultsOf(source: ByteSource) {
  const error = await readClaudeCodeSession(source).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof PrecisError)) throw new Error('it was read')
  return error.faults.map(({ rule, detail }) => `${rule}: ${detail}`)
}

const DIALOGUE = [
  user('u1', null, 'first'),
  assistant('a1', 'u1', 'm1', text('one')),
  user('u2', 'a1', 'second'),
  assistant('a2', 'u2', 'm2', text('two')),
]

describe('what is sent', () => {
  test('the messages come in their order, each with its line', async () => {
    const session = await read(sourceOf(DIALOGUE))
    expect(session.messages).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: [text('one')] },
      { role: 'user', content: 'second' },
      { role: 'assistant', content: [text('two')] },
    ])
    expect(session).toMatchObject({
      lines: [1, 2, 3, 4],
      summaries: [],
      lineCount: 4,
      model: 'claude-opus-4-6',
      boundaryLine: undefined,
      warnings: [],
    })
  })

  test('role and content keep their bytes, and what the API takes from nobody is left out', async () => {
    const line =
      '{"uuid":"u1","parentUuid":null,"type":"user","message":{ "content" : [ {"text":"caf\\u00e9 €","type":"text", "n":1.0} ], "id":"x", "role":"user"}}'
    const { bytes } = await readClaudeCodeSession(sourceOf([line]))
    expect(bytes.toString()).toBe(
      '{"messages":[{"role":"user","content":[ {"text":"caf\\u00e9 €","type":"text", "n":1.0} ]}]}',
    )
  })

  test('records that are no messages are links of the chain, and are not sent', async () => {
    const session = await read(
      sourceOf([
        record('file-history-snapshot', '', { more: { snapshot: {} } }),
        user('u1', null, 'first'),
        record('progress', 'p1', { parent: 'u1' }),
        record('attachment', 't1', { parent: 'p1' }),
        assistant('a1', 't1', 'm1', text('one')),
        record('system', 's1', { parent: 'a1', more: { subtype: 'turn_duration' } }),
        JSON.stringify({ type: 'summary', summary: 'A title', leafUuid: 'a1' }),
        JSON.stringify({ type: 'queue-operation', operation: 'enqueue', content: 'later' }),
      ]),
    )
    expect(session.lines).toEqual([2, 5])
  })

  test('a branch that was left by a rewind is not sent', async () => {
    const session = await read(
      sourceOf([
        ...DIALOGUE,
        user('u3', 'a1', 'second, otherwise'),
        assistant('a3', 'u3', 'm3', text('three')),
      ]),
    )
    expect(session.lines).toEqual([1, 2, 5, 6])
  })

  test('what a subagent said is not sent, wherever it stands', async () => {
    const aside = (uuid: string, parent: string | null) =>
      record('user', uuid, {
        parent,
        sidechain: true,
        more: { message: { role: 'user', content: 'aside' } },
      })
    const session = await read(
      sourceOf([aside('x1', null), ...DIALOGUE, aside('x2', 'x1'), aside('x3', 'a2')]),
    )
    expect(session.lines).toEqual([2, 3, 4, 5])
  })

  test('a subagent that went on with the same API message adds nothing to it', async () => {
    const aside = assistant('x1', 'u1', 'm1', call('c1')).replace(
      '"isSidechain":false',
      '"isSidechain":true',
    )
    const lines = [user('u1', null, 'first'), aside, assistant('a1', 'u1', 'm1', text('one'))]
    expect((await read(sourceOf(lines))).lines).toEqual([1, 3])
  })

  test("a file of nothing but a subagent's records is the subagent's session", async () => {
    const lines = DIALOGUE.map((line) => line.replace('"isSidechain":false', '"isSidechain":true'))
    expect((await read(sourceOf(lines))).lines).toEqual([1, 2, 3, 4])
  })

  test('texts of white space were never sent', async () => {
    const session = await read(
      sourceOf([
        user('u1', null, 'first'),
        assistant('b1', 'u1', 'm1', text('\n\n')),
        assistant('a1', 'b1', 'm1', text('one')),
        user('u2', 'a1', ' '),
      ]),
    )
    expect(session.lines).toEqual([1, 3])
  })

  test('interrupted calls and errors of the API stay as they are', async () => {
    const session = await read(
      sourceOf([
        user('u1', null, 'first'),
        assistant('a1', 'u1', 'm1', call('c1')),
        user('u2', 'a1', '[Request interrupted by user for tool use]'),
        assistant('e1', 'u2', 'm2', text('API Error: 500'), { isApiErrorMessage: true }),
      ]),
    )
    expect(session.lines).toEqual([1, 2, 3, 4])
  })

  test('the model is the one that answered last, not the one of a message nobody answered', async () => {
    const synthetic = assistant('a3', 'a2', 'm3', text('API Error')).replace(
      'claude-opus-4-6',
      '<synthetic>',
    )
    expect((await read(sourceOf([...DIALOGUE, synthetic]))).model).toBe('claude-opus-4-6')
  })
})

describe('an API message of several records', () => {
  test('calls that ran in parallel all come, though one of their branches is on the chain', async () => {
    const session = await read(
      sourceOf([
        user('u1', null, 'first'),
        assistant('a1', 'u1', 'm1', call('c1')),
        assistant('a2', 'a1', 'm1', call('c2')),
        user('r1', 'a1', result('c1')),
        user('r2', 'a2', result('c2')),
        assistant('a3', 'r1', 'm2', text('done')),
      ]),
    )
    expect(session.lines).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('its records stand together and the results after them, in the order of the calls', async () => {
    const session = await read(
      sourceOf([
        user('u1', null, 'first'),
        assistant('a1', 'u1', 'm1', call('c1')),
        user('r1', 'a1', result('c1')),
        assistant('a2', 'r1', 'm1', call('c2')),
        assistant('a3', 'a2', 'm1', call('c3')),
        user('r3', 'a3', result('c3')),
        user('r2', 'a2', result('c2')),
        user('u2', 'r2', 'second'),
      ]),
    )
    expect(session.lines).toEqual([1, 2, 4, 5, 3, 7, 6, 8])
  })

  test('a call that two branches hold is sent once', async () => {
    const session = await read(
      sourceOf([
        user('u1', null, 'first'),
        assistant('a1', 'u1', 'm1', call('c1')),
        user('r1', 'a1', result('c1')),
        assistant('b1', 'u1', 'm1', call('c1')),
        user('s1', 'b1', result('c1')),
        user('u2', 's1', 'second'),
      ]),
    )
    expect(session.lines).toEqual([1, 4, 5, 6])
  })
})

describe('a compaction of its own', () => {
  const before = [user('u1', null, 'old'), assistant('a1', 'u1', 'm1', text('older'))]
  const after = [user('u2', 'k1', 'new'), assistant('a2', 'u2', 'm2', text('newer'))]

  test('only what stands behind the last boundary is sent, its summary first', async () => {
    const session = await read(sourceOf([...before, boundary('b1'), summary('k1', 'b1'), ...after]))
    expect(session).toMatchObject({ lines: [4, 5, 6], summaries: [0], boundaryLine: 3 })
  })

  test('a boundary ends the chain, whatever it names as its parent', async () => {
    const linked = boundary('b1').replace('"parentUuid":null', '"parentUuid":"a1"')
    const session = await read(sourceOf([...before, linked, summary('k1', 'b1'), ...after]))
    expect(session.lines).toEqual([4, 5, 6])
  })

  test('messages that it kept stand behind the summary', async () => {
    const segment = { headUuid: 'u1', anchorUuid: 'k1', tailUuid: 'a1' }
    const session = await read(
      sourceOf([
        user('u0', null, 'gone'),
        before[0]!.replace('"parentUuid":null', '"parentUuid":"u0"'),
        before[1]!,
        boundary('b1', { preservedSegment: segment }),
        summary('k1', 'b1'),
        ...after,
      ]),
    )
    expect(session.lines).toEqual([5, 2, 3, 6, 7])
    expect(session.warnings).toEqual([])
  })

  test('messages that it kept and the file has not are a warning', async () => {
    const segment = { headUuid: 'nobody', anchorUuid: 'k1', tailUuid: 'nothing' }
    const session = await read(
      sourceOf([...before, boundary('b1', { preservedSegment: segment }), summary('k1', 'b1')]),
    )
    expect(session.lines).toEqual([4])
    expect(session.warnings).toMatchObject([{ code: 'preserved-messages-missing' }])
  })

  test('a boundary without a summary yet leaves the conversation as it was', async () => {
    const session = await read(sourceOf([...before, boundary('b1')]))
    expect(session).toMatchObject({ lines: [1, 2], boundaryLine: undefined })
  })
})

describe('faults', () => {
  test('lines that are no JSON are told with line and column', async () => {
    const [first = '', ...others] = DIALOGUE
    expect(await faultsOf(sourceOf([first, '{"type":"user",,}', '', '[1]', ...others]))).toEqual([
      'json: line 2: column 16: is not JSON',
      'type: line 4: must be an object',
    ])
  })

  test('a parent that is not there is told with the line of its child', async () => {
    expect(await faultsOf(sourceOf(DIALOGUE.slice(1)))).toEqual([
      'existing-parent: line 1: parentUuid names a record that the transcript does not have',
    ])
  })

  test('a parent that is missing on a branch that was left is no fault', async () => {
    const session = await read(sourceOf([user('x', 'nobody', 'left'), ...DIALOGUE]))
    expect(session.lines).toEqual([2, 3, 4, 5])
  })

  test('a circle of parents ends, and is told', async () => {
    expect(
      await faultsOf(sourceOf([user('u1', 'u2', 'first'), user('u2', 'u1', 'second')])),
    ).toEqual(['acyclic-parents: line 2: is its own ancestor by parentUuid'])
  })

  test('a last line that is cut short is a warning', async () => {
    const whole = Buffer.from(DIALOGUE.join('\n'))
    const session = await read(pieces(whole.subarray(0, whole.length - 20)))
    expect(session.lines).toEqual([1, 2, 3])
    expect(session.warnings).toEqual([
      { code: 'line-cut-short', message: expect.stringContaining('Line 4,') },
    ])
  })

  test('a last line without its line feed is whole if it is JSON', async () => {
    const session = await read(pieces(Buffer.from(DIALOGUE.join('\n'))))
    expect(session).toMatchObject({ lines: [1, 2, 3, 4], warnings: [] })
  })

  test('many faults are counted, not listed', async () => {
    const faults = await faultsOf(sourceOf(Array.from({ length: 50 }, () => '{')))
    expect(faults).toHaveLength(21)
    expect(faults.at(-1)).toBe('more-errors: 30 more are not listed')
  })

  test('a transcript without messages is empty', async () => {
    await expect(readClaudeCodeSession(sourceOf([boundary('b1')]))).rejects.toMatchObject({
      code: 'empty-conversation',
    })
  })

  test('no fault repeats what a line says', async () => {
    const faults = await faultsOf(sourceOf([...DIALOGUE, '{"type":"user","secret words": ?}']))
    expect(faults.join()).not.toContain('secret')
  })
})

describe('bytes', () => {
  test('it does not matter where the pieces of a file are cut', async () => {
    const lines = [
      user('u1', null, 'first, größer als 1 €'),
      assistant('a1', 'u1', 'm1', text('😀'.repeat(5))),
    ]
    const whole = await readClaudeCodeSession(sourceOf(lines))
    for (let size = 1; size < 20; size += 1) {
      expect(await readClaudeCodeSession(sourceOf(lines, size))).toEqual(whole)
    }
  })

  test('lines that end as on Windows are read alike', async () => {
    const session = await read(pieces(Buffer.from(DIALOGUE.map((line) => `${line}\r\n`).join(''))))
    expect(session.lines).toEqual([1, 2, 3, 4])
  })

  test('only the lines that are sent are read a second time', async () => {
    const ranges: number[] = []
    const source = sourceOf([
      ...DIALOGUE,
      record('progress', 'p1', { parent: 'a2', more: { data: 'x'.repeat(5_000) } }),
    ])
    await readClaudeCodeSession({
      ...source,
      range: (offset, length) => {
        ranges.push(length)
        return source.range(offset, length)
      },
    })
    expect(ranges).toEqual(DIALOGUE.map((line) => line.length))
  })
})

describe('what a file is', () => {
  const isSession = (textOfFile: string) => isClaudeCodeSession(pieces(Buffer.from(textOfFile), 7))

  test('lines of records are a session, also behind a damaged line or a title', async () => {
    expect(await isSession(DIALOGUE.join('\n'))).toBe(true)
    expect(await isSession(`{"broken\n${DIALOGUE.join('\n')}`)).toBe(true)
    expect(await isSession('{"type":"summary","summary":"A title","leafUuid":"x"}')).toBe(true)
  })

  test('request bodies, lists of messages and other lines of JSON are not', async () => {
    const body = { type: 'x', sessionId: 's', messages: [{ role: 'user', content: 'hi' }] }
    expect(await isSession(JSON.stringify(body))).toBe(false)
    expect(await isSession(JSON.stringify(body, undefined, 2))).toBe(false)
    expect(await isSession(JSON.stringify(body.messages))).toBe(false)
    expect(await isSession('{"role":"user","content":"hi"}\n{"role":"user"}\n')).toBe(false)
    expect(await isSession('')).toBe(false)
    expect(await isSession('no JSON at all')).toBe(false)
  })
})
