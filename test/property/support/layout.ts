import type { CompactionReport } from '../../../src/engine/report.ts'

/** Where each message of the output comes from. */
export type Origin =
  | { readonly from: 'untouched' | 'rewritten'; readonly index: number }
  | { readonly from: 'inserted'; readonly before: number }

/** The output that the actions of a report speak of, message by message. */
export function layoutOf(messages: number, { actions }: CompactionReport): Origin[] {
  const byIndex = new Map(
    actions.filter(({ action }) => action !== 'inserted').map((action) => [action.index, action]),
  )
  const inserted = actions.filter(({ action }) => action === 'inserted')
  const layout: Origin[] = []
  for (let index = 0; index <= messages; index += 1) {
    for (const insertion of inserted) {
      if (insertion.index === index) layout.push({ from: 'inserted', before: index })
    }
    const action = byIndex.get(index)?.action
    if (index === messages || action === 'dropped') continue
    layout.push({ from: action === 'rewritten' ? 'rewritten' : 'untouched', index })
  }
  return layout
}
