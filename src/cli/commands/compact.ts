import { itemsOf } from '../../formats/conversation-list.ts'
import type { CompactInput } from '../../library/conversation-types.ts'
import type { CliProcess, CommandRun } from '../command-context.ts'
import { runCommand } from '../command-context.ts'
import { describeInput, describeMessages } from '../describe-input.ts'
import type { CompactedConversation } from '../engine.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { conversationMembers, unreadSettings } from '../input/conversation-members.ts'
import { encodeConversation, encodeDocument, encodeResult } from '../output/encode-document.ts'
import { checkOutputFile, writeOutput } from '../output/write-output.ts'
import { encodeRecording, readRecording } from '../recording-file.ts'
import type { CompactAnswer } from '../report/compact-answer.ts'
import { renderCompactReport } from '../report/compact-report.ts'
import { type CompactSettings, toCompactRequest } from '../settings.ts'

export interface CompactFlags extends CompactSettings {
  readonly output?: string
  readonly json?: boolean
  readonly dryRun?: boolean
  /** `changed` lists every message that changed, `all` the kept ones too. */
  readonly explain?: 'changed' | 'all'
  /** File that gets what the models said. */
  readonly record?: string
  /** File with what models said of this conversation before. */
  readonly replay?: string
}

/** Ends with 1 where the conversation does not fit its target; what could be done is written all the same. */
export function compactCommand(
  process: CliProcess,
  file: string | undefined,
  flags: CompactFlags,
): Promise<ExitCode> {
  const settings = toCompactRequest(flags)
  const { record, replay } = flags
  return runCommand(process, file, { ...settings, ...(replay && { replay }) }, async (run) => {
    const { document, engine, progress, inputPath } = run
    await checkOutputFile(flags.output, document.kind === 'transcript' ? inputPath : undefined)
    await checkOutputFile(record, inputPath, { option: '--record', is: 'the input' })
    // Claude Code's own summary stands for all that came before it.
    const pins = [...(settings.pins ?? []), ...(document.session?.summaries ?? [])]
    const request = {
      ...conversationMembers(document),
      ...settings,
      ...(pins.length > 0 && { pins }),
      ...(flags.explain === 'all' && { explain: 'all' }),
      ...(record !== undefined && { record: true }),
      ...(replay !== undefined && { replay: await readRecording(replay) }),
    } as CompactInput
    const compacted = await engine.compact(request, { signal: process.signal, observer: progress })
    progress.clear()
    const { recording, ...answer } = compacted.answer
    if (record !== undefined) await writeOutput(encodeRecording(recording), record, process)
    await write(run, withInputWarnings({ ...compacted, answer }, run), flags)
    return compacted.answer.fits ? EXIT.done : EXIT.negative
  })
}

function withInputWarnings(compacted: CompactedConversation, { document }: CommandRun) {
  const { answer } = compacted
  const warnings = [
    ...(document.session?.warnings ?? []),
    ...unreadSettings(document),
    ...answer.warnings,
  ]
  return { ...compacted, answer: { ...answer, warnings } }
}

async function write(
  run: CommandRun,
  { answer, list, conversation }: CompactedConversation,
  flags: CompactFlags,
): Promise<void> {
  const { document, process } = run
  const isDryRun = flags.dryRun === true
  if (flags.json === true) {
    const bytes = isDryRun ? undefined : encodeConversation(document, list, conversation)
    const result = encodeResult({ ...withLines(answer, run) }, bytes && { list, bytes })
    await writeOutput(result, flags.output, process)
    return
  }
  if (!isDryRun) {
    await writeOutput(encodeDocument(document, list, conversation), flags.output, process)
  }
  const messageCount = itemsOf(document.members, list).length
  const { width, paint } = process.err
  const report = renderCompactReport(answer, {
    width,
    paint,
    source: describeInput(run.inputName, document, messageCount),
    messageCount,
    describe: describeMessages(document, list),
    listsAll: flags.explain !== undefined,
    isDryRun,
  })
  process.err.write(`${report.join('\n')}\n`)
}

/** In a transcript an action also says which line its message stands in. */
function withLines(answer: CompactAnswer, { document }: CommandRun): CompactAnswer {
  const lines = document.session?.lines
  if (lines === undefined) return answer
  const actions = answer.actions.map((action) =>
    action.action === 'inserted' ? action : { ...action, line: lines[action.index] },
  )
  return { ...answer, actions }
}
