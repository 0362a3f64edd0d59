import { itemsOf, LIST_MEMBERS } from '../../formats/conversation-list.ts'
import type { CheckInput } from '../../library/conversation-types.ts'
import { type CliProcess, runCommand } from '../command-context.ts'
import { describeInput, messageAt } from '../describe-input.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { conversationMembers } from '../input/conversation-members.ts'
import type { InputDocument } from '../input/read-document.ts'
import { encodeResult } from '../output/encode-document.ts'
import { renderCheckReport } from '../report/check-report.ts'
import type { BudgetSettings } from '../settings.ts'

export interface CheckFlags extends Pick<BudgetSettings, 'format' | 'model'> {
  readonly json?: boolean
}

/** Ends with 1 where the conversation breaks a rule of its provider. */
export function checkCommand(
  process: CliProcess,
  file: string | undefined,
  flags: CheckFlags,
): Promise<ExitCode> {
  const { format, model, json } = flags
  const settings = {
    ...(format !== undefined && { format }),
    ...(model !== undefined && { model }),
  }
  return runCommand(process, file, settings, async (run) => {
    const { document, engine, progress, inputName } = run
    const answer = engine.check({ ...conversationMembers(document), ...settings } as CheckInput)
    progress.clear()
    const warnings = [...(document.session?.warnings ?? []), ...answer.warnings]
    const result = { ...answer, warnings }
    const lineOf = lineFinder(document)
    if (json === true) {
      const violations = result.violations.map((violation) => {
        const line = lineOf(violation.pointer)
        return line === undefined ? violation : { ...violation, line }
      })
      await process.writeOut(encodeResult({ ...result, violations }))
    } else {
      const { width, paint } = process.out
      const count = Math.max(...LIST_MEMBERS.map((list) => itemsOf(document.members, list).length))
      const report = renderCheckReport(result, {
        width,
        paint,
        source: describeInput(inputName, document, count),
        lineOf,
      })
      await process.writeOut(`${report.join('\n')}\n`)
    }
    return answer.valid ? EXIT.done : EXIT.negative
  })
}

function lineFinder({ session }: InputDocument): (pointer: string) => number | undefined {
  return (pointer) => {
    const message = messageAt(pointer)
    return message === undefined ? undefined : session?.lines[message]
  }
}
