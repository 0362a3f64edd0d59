import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { isArray, isRecord, pointer } from '../json.ts'
import { isDirective } from './blocks.ts'

export interface TurnBlock {
  readonly type: string
  readonly value: JsonObject
  readonly message: number
  /** Its number in the content; -1 for content that is a string. */
  readonly position: number
}

export function blockPointer({ message, position }: TurnBlock): string {
  const content = pointer('messages', message, 'content')
  return position === -1 ? content : `${content}/${position}`
}

/** Neighbouring messages of one role, which the API joins into one turn. */
export interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly blocks: readonly TurnBlock[]
  readonly firstMessage: number
  readonly lastMessage: number
  /** It sets options and says nothing. */
  readonly isDirective: boolean
}

interface OpenTurn extends Turn {
  readonly blocks: TurnBlock[]
  lastMessage: number
  isDirective: boolean
}

/** Messages of unknown roles and shapes are left out: other rules name them. */
export function turnsOf(messages: readonly JsonValue[]): readonly Turn[] {
  const turns: OpenTurn[] = []
  let last: OpenTurn | undefined
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]
    if (!isRecord(message) || !isRole(message.role)) continue
    const isOptions = isDirective(message)
    if (last?.role === message.role) {
      last.isDirective &&= isOptions
      last.lastMessage = index
    } else {
      last = {
        role: message.role,
        blocks: [],
        firstMessage: index,
        lastMessage: index,
        isDirective: isOptions,
      }
      turns.push(last)
    }
    addBlocks(message.content, index, last.blocks)
  }
  return turns
}

function addBlocks(content: JsonValue | undefined, message: number, blocks: TurnBlock[]): void {
  if (typeof content === 'string' && content !== '') {
    blocks.push({ type: 'text', value: { type: 'text', text: content }, message, position: -1 })
  }
  if (!isArray(content)) return
  for (let position = 0; position < content.length; position += 1) {
    const value = content[position]
    if (!isRecord(value)) continue
    const type = typeof value.type === 'string' ? value.type : ''
    blocks.push({ type, value, message, position })
  }
}

function isRole(value: JsonValue | undefined): value is Turn['role'] {
  return value === 'user' || value === 'assistant' || value === 'system'
}
