/**
 * LoCoMo: long two-person conversations and questions about them with the turns that answer them.
 * For measuring only: its licence (CC BY-NC 4.0) and honesty both forbid fitting on it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LabelledCase, Turn } from './labelled-case.ts'

interface SpokenTurn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
}

interface Conversation {
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly { readonly question: string; readonly evidence?: readonly string[] }[]
}

/** One case per question that names at least one turn which exists. */
export function readLocomo(dataFolder: string): LabelledCase[] {
  const path = join(dataFolder, 'locomo-dev', 'locomo-dev.json')
  const conversations: Conversation[] = JSON.parse(readFileSync(path, 'utf8'))
  return conversations.flatMap(({ conversation, qa }) => {
    const spoken = turnsInOrder(conversation)
    const known = new Set(spoken.map((turn) => turn.dia_id))
    return qa.flatMap(({ question, evidence = [] }): LabelledCase[] => {
      const ids = evidence.flatMap((entry) => entry.split(/[;,\s]+/)).filter((id) => known.has(id))
      if (ids.length === 0) return []
      const needed = new Set(ids)
      return [
        { kind: 'question', request: question, turns: spoken.map((turn) => toTurn(turn, needed)) },
      ]
    })
  })
}

function turnsInOrder(conversation: Conversation['conversation']): SpokenTurn[] {
  const turns: SpokenTurn[] = []
  for (let session = 1; ; session += 1) {
    const found = conversation[`session_${session}`]
    if (!Array.isArray(found)) return turns
    turns.push(...found)
  }
}

function toTurn({ speaker, dia_id, text }: SpokenTurn, needed: ReadonlySet<string>): Turn {
  return { role: 'user', speaker, text, needed: needed.has(dia_id) }
}
