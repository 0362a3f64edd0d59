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

/** One case per question that names at least one turn which exists. The first speaker is the user. */
export function readLocomo(data: string): LabelledCase[] {
  const path = join(data, 'locomo-dev', 'locomo-dev.json')
  return locomoCases(JSON.parse(readFileSync(path, 'utf8')) as Conversation[])
}

export function locomoCases(conversations: readonly Conversation[]): LabelledCase[] {
  return conversations.flatMap(({ conversation, qa }, number) => {
    const spoken = turnsInOrder(conversation)
    const known = new Set(spoken.map((turn) => turn.dia_id))
    const user = spoken[0]?.speaker
    return qa.flatMap(({ question, evidence = [] }): LabelledCase[] => {
      // One entry may name several turns: "D8:6; D9:17".
      const ids = evidence.flatMap((entry) => entry.split(/[;,\s]+/)).filter((id) => known.has(id))
      if (ids.length === 0) return []
      const needed = new Set(ids)
      const turns = spoken.map(
        ({ speaker, dia_id, text }): Turn => ({
          role: speaker === user ? 'user' : 'assistant',
          speaker,
          text,
          needed: needed.has(dia_id),
        }),
      )
      return [{ conversation: `locomo-${number + 1}`, request: question, turns }]
    })
  })
}

function turnsInOrder(conversation: Conversation['conversation']): SpokenTurn[] {
  const turns: SpokenTurn[] = []
  for (let session = 1; ; session += 1) {
    const found = conversation[`session_${session}`]
    if (!Array.isArray(found)) return turns
    turns.push(...(found as SpokenTurn[]))
  }
}
