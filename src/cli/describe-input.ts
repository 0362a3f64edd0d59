import type { ListMember } from '../formats/conversation-list.ts'
import { itemsOf } from '../formats/conversation-list.ts'
import type { InputDocument } from './input/read-document.ts'
import type { DescribeMessage } from './report/action-rows.ts'
import { labelOf } from './report/message-label.ts'
import { formatCount, formatNumber } from './report/numbers.ts'

/** What the input is, in a few words. */
export function describeInput(
  name: string,
  { kind, session, members }: InputDocument,
  messageCount: number,
): string {
  const messages = formatCount(messageCount, 'message')
  if (session === undefined) {
    const model = typeof members.model === 'string' ? ` for ${members.model}` : ''
    return `${name}: ${kind === 'list' ? 'a list of ' : ''}${messages}${model}`
  }
  const { lineCount, boundaryLine, model } = session
  const after =
    boundaryLine === undefined ? '' : `, since its compaction at line ${formatNumber(boundaryLine)}`
  const answeredBy = model === undefined ? '' : `, answered by ${model}`
  return `${name}: a Claude Code transcript, ${messages} of ${formatCount(lineCount, 'line')}${after}${answeredBy}`
}

/** Names the messages of the input by what they are and, in a transcript, by their line. */
export function describeMessages(document: InputDocument, list: ListMember): DescribeMessage {
  const items = itemsOf(document.members, list)
  const lines = document.session?.lines
  return (index) => {
    const line = lines?.[index]
    return { ...labelOf(items[index]), ...(line !== undefined && { line }) }
  }
}

/** Number of the message that a pointer leads into. */
export function messageAt(pointer: string): number | undefined {
  const found = /^\/(?:messages|input|contents)\/(\d+)/.exec(pointer)?.[1]
  return found === undefined ? undefined : Number(found)
}
