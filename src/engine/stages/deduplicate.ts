/**
 * Collapses repeated reads of the same file, and byte-identical tool results, to the last one.
 * Decided from call arguments and whole contents, never from prose: a sentence that says "read the
 * file" is not a read.
 */
import type { Edit } from '../edit.ts'
import { isPlaceholder, supersededText } from '../marker.ts'
import type { Ports } from '../ports.ts'
import type { StageInput, StageOutput } from '../stage.ts'
import type { JsonValue, Part } from '../transcript.ts'

/** A tool reads files if its name says so as a word of its own. */
const READ_TOOL = /(?:^|[^a-z])(?:read|view|cat|open|get|fetch|load|show)(?:$|[^a-z])/

const PATH_ARGUMENTS = ['path', 'file_path', 'filepath', 'file', 'filename', 'uri', 'absolute_path']

export function deduplicate(input: StageInput, ports: Ports): StageOutput {
  const { transcript, state, protection } = input
  const seenReads = new Set<string>()
  const isRepeated = createRepetitions()
  const calls = indexCalls(input)
  const edits: Edit[] = []
  const cost = {
    'read of the same file': ports.countTokens(supersededText('read of the same file')),
    'identical result': ports.countTokens(supersededText('identical result')),
  }
  for (let index = transcript.entries.length - 1; index >= 0; index -= 1) {
    const entry = transcript.entries[index]
    if (entry === undefined || !state.isAlive(index)) continue
    for (let partIndex = entry.parts.length - 1; partIndex >= 0; partIndex -= 1) {
      const part = entry.parts[partIndex]
      if (part?.kind !== 'tool-result') continue
      const text = state.partText(entry, partIndex)
      if (isPlaceholder(text)) continue
      const read = readKey(calls.get(callKey(index, part, input)))
      const what = isRepeated(text)
        ? 'identical result'
        : read !== undefined && seenReads.has(read)
          ? 'read of the same file'
          : undefined
      // A failed read says nothing about the file, so it makes no other read superfluous.
      if (read !== undefined && part.isError !== true) seenReads.add(read)
      if (what === undefined || protection.level(index) !== 'free' || !part.rewritable) continue
      if (part.isError === true && what === 'read of the same file') continue
      if (cost[what] >= state.partTokens(entry, partIndex)) continue
      edits.push({
        op: 'replace-text',
        entry: index,
        part: partIndex,
        text: supersededText(what),
        reason: what === 'identical result' ? 'identical-result' : 'repeated-read',
      })
    }
  }
  return { edits: edits.reverse() }
}

/**
 * Says of each text whether it came before. A set would hash every text whole, which for most
 * conversations costs more than the rest of this stage; only texts of one length can be the same.
 */
function createRepetitions(): (text: string) => boolean {
  const byLength = new Map<number, string | Set<string>>()
  return (text) => {
    const same = byLength.get(text.length)
    if (same === undefined) {
      byLength.set(text.length, text)
      return false
    }
    if (same === text) return true
    const texts = typeof same === 'string' ? new Set([same]) : same
    if (texts.has(text)) return true
    byLength.set(text.length, texts.add(text))
    return false
  }
}

/** Ids may be used again later in a conversation, so a call is known by its group and its id. */
function callKey(entry: number, part: Part, input: StageInput): string {
  return `${input.groups.of[entry]}:${part.callId ?? ''}`
}

function indexCalls(input: StageInput): Map<string, Part> {
  const calls = new Map<string, Part>()
  for (const entry of input.transcript.entries) {
    for (const part of entry.parts) {
      if (part.kind === 'tool-call') calls.set(callKey(entry.index, part, input), part)
    }
  }
  return calls
}

/** Tool, path and every other argument: another range of the file is another read. */
function readKey(call: Part | undefined): string | undefined {
  if (call?.toolName === undefined) return undefined
  const name = call.toolName.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  if (!READ_TOOL.test(name)) return undefined
  const fields = argumentFields(call.toolArguments)
  if (fields === undefined) return undefined
  const hasPath = fields.some(
    ([key, value]) => typeof value === 'string' && PATH_ARGUMENTS.includes(normalise(key)),
  )
  if (!hasPath) return undefined
  fields.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  try {
    return JSON.stringify([call.toolName, fields])
  } catch {
    // Arguments that nest deeper than the stack: they come as text, so no limit has met them yet.
    return undefined
  }
}

function normalise(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
}

function argumentFields(value: JsonValue | undefined): [string, JsonValue][] | undefined {
  if (typeof value === 'string') {
    try {
      return argumentFields(JSON.parse(value) as JsonValue)
    } catch {
      return undefined
    }
  }
  if (value === undefined || value === null || typeof value !== 'object') return undefined
  return Array.isArray(value) ? undefined : Object.entries(value)
}
