/** Tool exchanges of the sessions that the model is fitted on, as the engine shows them to a decide model. */
import { between, pick, type Random } from './random-choice.ts'
import { ACTS, COMPONENTS, THINGS } from './vocabulary.ts'

/** A file of the imagined project; reading it again gives its text as it is then. */
export interface File {
  readonly component: string
  readonly path: string
  lines: string[]
}

export function makeFile(component: string, random: Random): File {
  const thing = pick(THINGS, random)
  const ending = pick(['py', 'go', 'tsx', 'rb', 'md'], random)
  const path = `${pick(['app', 'lib', 'core', 'pkg'], random)}/${component}/${thing}_${pick(ACTS, random)}.${ending}`
  return { component, path, lines: sourceLines(component, thing, between(8, 60, random), random) }
}

export function shown(say: string, call: string, result: string): string {
  return [say, call, result].filter((part) => part !== '').join('\n')
}

export function openFile(file: File, say: string): string {
  const result = file.lines.map((line, index) => `${index + 1}| ${line}`).join('\n')
  return shown(say, `open(${JSON.stringify({ file: file.path })})`, result)
}

/** Replaces some lines, and says so. */
export function patchFile(file: File, say: string, random: Random): string {
  const at = Math.floor(random() * file.lines.length)
  const [before = ''] = file.lines.slice(at, at + 1)
  const after = sourceLines(file.component, pick(THINGS, random), 2, random)
  file.lines = [...file.lines.slice(0, at), ...after, ...file.lines.slice(at + 1)]
  const call = `patch(${JSON.stringify({ file: file.path, old: before, new: after.join('\n') })})`
  return shown(say, call, `${file.path} was changed.`)
}

export function runTests(
  component: string,
  failing: string | undefined,
  say: string,
  random: Random,
): string {
  const lines = Array.from(
    { length: between(5, 24, random) },
    () =>
      `PASS ${component}: ${pick(ACTS, random)} the ${pick(THINGS, random)} (${between(1, 90, random)}ms)`,
  )
  if (failing !== undefined) lines.splice(Math.floor(random() * lines.length), 0, failing)
  const call = `shell(${JSON.stringify({ cmd: `make test ONLY=${component}` })})`
  return shown(say, call, lines.join('\n'))
}

export function grep(component: string, say: string, random: Random): string {
  const thing = pick(THINGS, random)
  const lines = Array.from(
    { length: between(3, 30, random) },
    () =>
      `lib/${component}/${pick(THINGS, random)}_${pick(ACTS, random)}.go:${between(1, 500, random)}: ${pick(ACTS, random)}(${thing})`,
  )
  return shown(
    say,
    `grep(${JSON.stringify({ text: thing, dir: `lib/${component}` })})`,
    lines.join('\n'),
  )
}

/** A page of real prose, of which the model has seen other sentences. */
export function readPage(sentences: readonly string[], say: string, random: Random): string {
  const url = `https://wiki.example.net/${pick(COMPONENTS, random)}/${between(1, 900, random)}`
  return shown(say, `fetch_page(${JSON.stringify({ url })})`, sentences.join('\n'))
}

export function listSettings(component: string, say: string, random: Random): string {
  const lines = Array.from(
    { length: between(5, 30, random) },
    () =>
      `${component}.${pick(THINGS, random)}.${pick(THINGS, random)} = ${between(0, 9_999, random)}`,
  )
  return shown(say, `settings(${JSON.stringify({ of: component })})`, lines.join('\n'))
}

/** Sets a line between the others of a result. */
export function plantLine(text: string, line: string, random: Random): string {
  const lines = text.split('\n')
  lines.splice(between(Math.min(3, lines.length), lines.length, random), 0, line)
  return lines.join('\n')
}

function sourceLines(component: string, thing: string, count: number, random: Random): string[] {
  return Array.from({ length: count }, (_, index) => {
    const other = pick(THINGS, random)
    switch (index % 5) {
      case 0:
        return `def ${pick(ACTS, random)}_${other}(${thing}, ${pick(THINGS, random)}):`
      case 4:
        return ''
      default:
        return `    ${other} = ${component}.${pick(ACTS, random)}(${thing}, ${between(0, 9_999, random)})`
    }
  })
}
