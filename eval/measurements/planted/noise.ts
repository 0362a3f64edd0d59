/** What fills an agent session: files that are read, searches, test runs, and talk about them. */
import type { RandomStream } from '../../lib/random.ts'

export const SERVICES = [
  'billing',
  'search',
  'gateway',
  'invoices',
  'notifications',
  'accounts',
  'catalogue',
  'shipping',
  'reports',
  'sessions',
] as const

const NOUNS = [
  'cursor',
  'ledger',
  'address',
  'retry',
  'queue',
  'schema',
  'token',
  'port',
  'cache',
  'batch',
  'limit',
  'folder',
  'version',
  'release',
  'database',
  'window',
] as const
const VERBS = ['load', 'merge', 'parse', 'store', 'check', 'split', 'render', 'send'] as const
const ERRANDS = [
  'See whether the tests of {service} still pass after the rename of the {noun} helper.',
  'Find where {service} builds its {noun} and tell me what calls it.',
  'The {noun} code in {service} is hard to follow. Take a look before we change it.',
  'Move the {noun} constants of {service} into one file.',
  'Add a test for an empty {noun} in {service}.',
  'Why does {service} read its {noun} twice?',
] as const
const REMARKS = [
  'I looked through it: the {noun} of {service} is built in one place and read in {count} others.',
  'That passes. The {noun} helper of {service} now has {count} callers, none of them in the tests.',
  'Nothing unexpected there. I go on with the {noun} of {service}.',
  'The rename is done in {count} files; {service} keeps its old {noun} for now.',
] as const

export interface ToolRound {
  readonly say: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, string>>
  readonly result: readonly string[]
}

export function errand(random: RandomStream): string {
  return fill(random.pick(ERRANDS), random)
}

export function remark(random: RandomStream): string {
  return fill(random.pick(REMARKS), random)
}

export function toolRound(random: RandomStream): ToolRound {
  const service = random.pick(SERVICES)
  const noun = random.pick(NOUNS)
  const path = `src/${service}/${random.pick(VERBS)}-${noun}.ts`
  switch (random.below(4)) {
    case 0:
      return {
        say: `I read ${path}.`,
        tool: 'read_file',
        arguments: { path },
        result: sourceLines(service, noun, random),
      }
    case 1:
      return {
        say: `Searching ${service} for ${noun}.`,
        tool: 'search',
        arguments: { pattern: noun, folder: `src/${service}` },
        result: searchLines(service, noun, random),
      }
    case 2:
      return {
        say: `Running the tests of ${service}.`,
        tool: 'run',
        arguments: { command: `npm test -- ${service}` },
        result: testLines(service, random),
      }
    default:
      return {
        say: `What does the configuration of ${service} say?`,
        tool: 'read_file',
        arguments: { path: `config/${service}-${noun}.json` },
        result: configurationLines(service, random),
      }
  }
}

/** Gives every name in braces a value; the service is one for the whole sentence. */
export function fill(template: string, random: RandomStream): string {
  const service = random.pick(SERVICES)
  return template.replaceAll(/\{(service|noun|count)\}/g, (_, name) => {
    if (name === 'service') return service
    return name === 'noun' ? random.pick(NOUNS) : String(2 + random.below(40))
  })
}

function linesOf(random: RandomStream, from: number, line: (index: number) => string): string[] {
  return Array.from({ length: from + random.below(from) }, (_, index) => line(index))
}

function sourceLines(service: string, noun: string, random: RandomStream): string[] {
  return linesOf(random, 14, (index) => {
    const verb = random.pick(VERBS)
    const other = random.pick(NOUNS)
    return index % 4 === 3
      ? `}`
      : `  const ${other}${index} = ${verb}(${noun}, '${service}', ${random.below(9_000)})`
  })
}

function searchLines(service: string, noun: string, random: RandomStream): string[] {
  return linesOf(
    random,
    10,
    () =>
      `src/${service}/${random.pick(VERBS)}-${random.pick(NOUNS)}.ts:${1 + random.below(400)}: ${random.pick(VERBS)}(${noun}.${random.pick(NOUNS)})`,
  )
}

function testLines(service: string, random: RandomStream): string[] {
  return linesOf(
    random,
    12,
    (index) =>
      `ok ${index + 1} - ${service}: ${random.pick(VERBS)}s the ${random.pick(NOUNS)} of a ${random.pick(NOUNS)} (${random.below(90)} ms)`,
  )
}

function configurationLines(service: string, random: RandomStream): string[] {
  return linesOf(
    random,
    10,
    () => `  "${service}.${random.pick(NOUNS)}.${random.pick(NOUNS)}": ${random.below(10_000)},`,
  )
}
