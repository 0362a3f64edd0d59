import { itemsOf, LIST_MEMBERS } from '../../formats/conversation-list.ts'
import type { BudgetInput } from '../../library/conversation-types.ts'
import { type CliProcess, runCommand } from '../command-context.ts'
import { describeInput } from '../describe-input.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { conversationMembers, unreadSettings } from '../input/conversation-members.ts'
import { encodeResult } from '../output/encode-document.ts'
import { renderBudgetReport } from '../report/budget-report.ts'
import { type BudgetSettings, toBudgetRequest } from '../settings.ts'

export interface BudgetFlags extends BudgetSettings {
  readonly json?: boolean
}

export function budgetCommand(
  process: CliProcess,
  file: string | undefined,
  flags: BudgetFlags,
): Promise<ExitCode> {
  const settings = toBudgetRequest(flags)
  return runCommand(process, file, settings, async (run) => {
    const { document, engine, progress, inputName } = run
    const request = { ...conversationMembers(document), ...settings } as BudgetInput
    const budget = await engine.budget(request, process)
    progress.clear()
    const warnings = [
      ...(document.session?.warnings ?? []),
      ...unreadSettings(document),
      ...budget.warnings,
    ]
    const result = { ...budget, warnings }
    if (flags.json === true) {
      await process.writeOut(encodeResult({ ...result }))
      return EXIT.done
    }
    const { width, paint } = process.out
    const count = Math.max(...LIST_MEMBERS.map((list) => itemsOf(document.members, list).length))
    const report = renderBudgetReport(result, {
      width,
      paint,
      source: describeInput(inputName, document, count),
    })
    await process.writeOut(`${report.join('\n')}\n`)
    return EXIT.done
  })
}
