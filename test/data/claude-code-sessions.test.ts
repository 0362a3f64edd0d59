/** Real sessions of Claude Code, as `precis compact` reads and writes them, at half and a quarter of their tokens. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '../../eval/lib/data-folder.ts'
import { createEngine } from '../../src/cli/engine.ts'
import { conversationMembers } from '../../src/cli/input/conversation-members.ts'
import { readDocument } from '../../src/cli/input/read-document.ts'
import { encodeDocument } from '../../src/cli/output/encode-document.ts'
import type { JsonObject } from '../../src/engine/transcript.ts'
import type { CompactInput } from '../../src/library/conversation-types.ts'
import { createFileSource } from '../../src/transcripts/claude-code/byte-source.ts'
import { findFaults } from '../helpers/wire-rules/index.ts'

const FOLDER = join(dataFolder() ?? '', 'claude-code')
const SESSIONS = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'))
  : []

const NOT_RUN = 'not run: PRECIS_DATA names no folder with claude-code/*.jsonl'

const QUIET = {
  signal: new AbortController().signal,
  observer: { stageStarted: () => {}, stageFinished: () => {} },
}

async function readSession(name: string) {
  const source = await createFileSource(join(FOLDER, name))
  try {
    const document = await readDocument(source)
    const request = {
      ...conversationMembers(document),
      pins: document.session?.summaries ?? [],
    } as CompactInput
    return { document, request }
  } finally {
    await source.close()
  }
}

if (SESSIONS.length === 0) test.skip(NOT_RUN, () => expect.fail(NOT_RUN))

interface Message {
  readonly role: string
  readonly content: string | readonly JsonObject[]
}

/** Neighbours of one role as the API joins them, for an oracle that looks at one message at a time. */
function joinTurns(messages: readonly Message[]): JsonObject {
  const turns: { role: string; content: JsonObject[] }[] = []
  for (const { role, content } of messages) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else turns.push({ role, content: [...blocks] })
  }
  return { messages: turns }
}

describe.skipIf(SESSIONS.length === 0)('real sessions of Claude Code', () => {
  test.each(SESSIONS)('%s is read as a valid conversation', async (name) => {
    const { document, request } = await readSession(name)
    expect(document.kind).toBe('transcript')
    expect(document.session?.lines.length).toBeGreaterThan(0)
    expect(createEngine().check(request)).toMatchObject({
      format: 'anthropic-messages',
      violations: [],
    })
  })

  test.each(SESSIONS.flatMap((name) => [0.5, 0.25].map((share) => [name, share] as const)))(
    '%s stays valid at %d of its tokens, and what stays keeps its bytes',
    async (name, share) => {
      const engine = createEngine()
      const { document, request } = await readSession(name)
      const whole = await engine.compact({ ...request, targetTokens: 1e9, dryRun: true }, QUIET)
      const targetTokens = Math.floor(whole.answer.tokensBefore * share)
      const { answer, list, conversation } = await engine.compact(
        { ...request, targetTokens },
        QUIET,
      )

      const floor = answer.budget.floor.tokens
      expect(answer.fits).toBe(answer.tokensAfter <= answer.budget.targetTokens.value)
      if (floor <= answer.budget.targetTokens.value) expect(answer.fits).toBe(true)

      const text = encodeDocument(document, list, conversation).toString()
      const before = JSON.parse(document.bytes.toString()) as { messages: readonly Message[] }
      const after = JSON.parse(text) as { messages: readonly Message[] }
      expect(engine.check({ ...request, ...after } as CompactInput)).toMatchObject({
        violations: [],
      })
      expect(findFaults('anthropic-messages', joinTurns(before.messages))).toEqual([])
      expect(findFaults('anthropic-messages', joinTurns(after.messages))).toEqual([])

      const touched = new Set(answer.actions.map(({ index }) => index))
      const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n')
      let kept = 0
      for (const [index, line] of (document.session?.lines ?? []).entries()) {
        if (touched.has(index)) continue
        const content = JSON.stringify(before.messages[index]?.content)
        // Where the transcript itself is written as JSON.stringify writes, its bytes can be looked for.
        if (lines[line - 1]?.includes(content) !== true) continue
        expect(text).toContain(content)
        kept += 1
      }
      expect(kept).toBeGreaterThan(0)
    },
  )
})
