import type { Project } from './project.ts'

export type ToolUse =
  | {
      readonly tool: 'read_file'
      readonly path: string
      readonly from?: number
      readonly to?: number
    }
  | { readonly tool: 'list_files'; readonly folder: string }
  | { readonly tool: 'search'; readonly pattern: string }
  | {
      readonly tool: 'edit_file'
      readonly path: string
      readonly old: string
      readonly new: string
    }
  | { readonly tool: 'run_tests'; readonly filter: string; readonly output: string }
  | { readonly tool: 'run_command'; readonly command: string; readonly output: string }

export type Step =
  | { readonly system: string }
  | { readonly user: string }
  | { readonly assistant: string; readonly uses?: readonly ToolUse[] }

interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string | null
      readonly tool_calls?: readonly ToolCall[]
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

/** Plays the steps against the project; what the tools answer follows from what was done before. */
export function playSession(steps: readonly Step[], project: Project): Message[] {
  const nextId = createIds()
  return steps.flatMap((step): Message[] => {
    if ('system' in step) return [{ role: 'system', content: step.system }]
    if ('user' in step) return [{ role: 'user', content: step.user }]
    if (step.uses === undefined) return [{ role: 'assistant', content: step.assistant }]
    const calls = step.uses.map((use) => ({ use, id: nextId() }))
    return [
      {
        role: 'assistant',
        content: step.assistant === '' ? null : step.assistant,
        tool_calls: calls.map(({ use, id }) => ({
          id,
          type: 'function',
          function: { name: use.tool, arguments: JSON.stringify(argumentsOf(use)) },
        })),
      },
      ...calls.map(
        ({ use, id }): Message => ({
          role: 'tool',
          tool_call_id: id,
          content: answer(use, project),
        }),
      ),
    ]
  })
}

function argumentsOf(use: ToolUse): Record<string, unknown> {
  switch (use.tool) {
    case 'run_tests':
      return { filter: use.filter }
    case 'run_command':
      return { command: use.command }
    case 'edit_file':
      return { path: use.path, old_text: use.old, new_text: use.new }
    default: {
      const { tool: _, ...rest } = use
      return rest
    }
  }
}

function answer(use: ToolUse, project: Project): string {
  switch (use.tool) {
    case 'read_file':
      return project.read(use.path, use.from, use.to)
    case 'list_files':
      return project.list(use.folder)
    case 'search':
      return project.search(use.pattern)
    case 'edit_file':
      return project.edit(use.path, use.old, use.new)
    default:
      return use.output
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Ids that look like a provider's and are the same at every run. */
function createIds(): () => string {
  const random = createRandom(20_240_514)
  return () => `call_${Array.from({ length: 24 }, () => DIGITS[random(DIGITS.length)]).join('')}`
}

/** Whole numbers below a bound, from a linear congruential generator (Numerical Recipes' constants). */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
