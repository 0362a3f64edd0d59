import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { type ResultBlocks, resultPart } from '../content-parts.ts'
import type { DraftEntry, DraftPart } from '../draft.ts'
import { isArray, isRecord, pointer, textMember } from '../json.ts'
import { countOpaque } from '../media/opaque-tokens.ts'
import { type Content, type Reading, type ReadMessage, readContent } from '../reading.ts'
import type { Exchanges } from './exchange-keys.ts'
import { callingProgram, callTypeOfResult, isPairedCall } from './items.ts'
import { MEDIA } from './read-content.ts'
import { providerPart } from './read-provider-items.ts'
import { chunksOf } from './shell-output.ts'

const RESULT_BLOCKS: ResultBlocks = { media: MEDIA, clearable: new Set() }

const SCREENSHOT: ResultBlocks = { media: new Set(['computer_screenshot']), clearable: new Set() }

/** Adds the result's part and tells the pairing of it. */
export function readResult(
  input: ReadMessage,
  type: string,
  entry: DraftEntry,
  exchanges: Exchanges,
): void {
  const { message: item, reading } = input
  const callType = callTypeOfResult(type) ?? ''
  const id = idOf(item, type)
  if (!isPairedCall(callType)) {
    if (id !== undefined) entry.links.push(`other:${callType}:${id}`)
    entry.parts.push(providerPart(type, item, reading))
    return
  }
  const part = partOf(input, type, id !== undefined && exchanges.isHosted(id))
  entry.parts.push(part)
  const program = callingProgram(item)
  if (program !== undefined) entry.links.push(`program:${program}`)
  if (id === undefined) reportMissingId(input, type, exchanges)
  else pair(id, callType, part, { entry, reading, exchanges })
}

interface Place {
  readonly entry: DraftEntry
  readonly reading: Reading
  readonly exchanges: Exchanges
}

function pair(id: string, callType: string, part: DraftPart, place: Place): void {
  const { entry, reading, exchanges } = place
  const key = exchanges.keyOfResult(callType, id)
  if (key === undefined) exchanges.orphans.add(entry.index)
  if (key === undefined && exchanges.hasHidden()) part.callId = id
  else reading.pairing.addResult(entry, part, 0, key ?? id)
}

function partOf({ message: item, index, reading }: ReadMessage, type: string, isHosted: boolean) {
  switch (type) {
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const at = (): string => pointer('input', index, 'output')
      return resultPart(readContent(item.output, at, reading) ?? null, RESULT_BLOCKS, reading)
    }
    case 'shell_call_output':
      return shellPart(item, isHosted, reading)
    case 'apply_patch_call_output':
      return patchPart(item, reading)
    case 'computer_call_output':
      return fixed(resultPart(screenshotOf(item.output), SCREENSHOT, reading))
    case 'mcp_approval_response': {
      const answer = item.approve === true ? 'approved' : 'not approved'
      const reason = textMember(item, 'reason')
      return fixed(textResult(reason === undefined ? answer : `${answer}: ${reason}`, reading))
    }
    case 'tool_search_output':
      return toolsPart(item, reading)
    default: {
      // A program's result is the provider's own; that of a local shell is JSON in a string.
      const text = textMember(item, 'output') ?? textMember(item, 'result') ?? ''
      return fixed(textResult(text, reading))
    }
  }
}

function textResult(text: string, reading: Reading): DraftPart {
  return resultPart(text, RESULT_BLOCKS, reading)
}

function fixed(part: DraftPart): DraftPart {
  part.rewritable = false
  return part
}

function shellPart({ output }: JsonObject, isHosted: boolean, reading: Reading): DraftPart {
  const chunks = chunksOf(output)
  const texts = (chunks ?? []).flatMap(({ stdout, stderr }) => [stdout, stderr])
  const part = textResult(texts.filter((text) => text !== '').join('\n'), reading)
  part.rewritable = chunks !== undefined && !isHosted
  if (chunks?.some(({ hasFailed }) => hasFailed === true) === true) part.isError = true
  else if (chunks?.every(({ hasFailed }) => hasFailed === false) === true) part.isError = false
  return part
}

/** Its log is a text for people, and may be left out altogether. */
function patchPart(item: JsonObject, reading: Reading): DraftPart {
  const log = textMember(item, 'output')
  const part = textResult(log ?? '', reading)
  part.rewritable = log !== undefined
  if (item.status === 'failed' || item.status === 'completed')
    part.isError = item.status === 'failed'
  return part
}

function screenshotOf(output: JsonValue | undefined): Content {
  return isRecord(output) && typeof output.type === 'string'
    ? [{ ...output, type: output.type }]
    : null
}

function toolsPart(item: JsonObject, reading: Reading): DraftPart {
  const tools = isArray(item.tools) ? item.tools : []
  const names = tools.map((tool) => (isRecord(tool) ? textMember(tool, 'name') : undefined))
  const text = names.filter((name) => name !== undefined).join('\n')
  return {
    kind: 'tool-result',
    text,
    tokens: countOpaque(tools, reading.context),
    rewritable: false,
  }
}

function idOf(item: JsonObject, type: string): string | undefined {
  if (type === 'mcp_approval_response') return textMember(item, 'approval_request_id')
  const id = textMember(item, 'call_id')
  // The reference names the call by `id`, SDKs by `call_id` as elsewhere.
  return id ?? (type === 'local_shell_call_output' ? textMember(item, 'id') : undefined)
}

/** Function results and those of the provider's tool searches may come without an id. */
function reportMissingId(
  { message: item, index, reading }: ReadMessage,
  type: string,
  { orphans }: Exchanges,
): void {
  orphans.add(index)
  if (type === 'tool_search_output') return
  if (type === 'function_call_output' && (item.call_id ?? null) === null) return
  const member = type === 'mcp_approval_response' ? 'approval_request_id' : 'call_id'
  const at = pointer('input', index, member)
  reading.faults.add(at, 'call-id', 'must be the id of the call that this answers')
}
