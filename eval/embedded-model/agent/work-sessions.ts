/**
 * Sessions in which an agent works by itself on files: what it needs is what it goes on with. One kind is cut in
 * the middle of the work, long after the request; the other ends with a request that names a file or a failure.
 */
import { type LabelledCase, randomStream, type Turn } from '../labelled-case.ts'
import { type File, grep, makeFile, openFile, patchFile, runTests } from './exchange.ts'
import { makeFact } from './facts.ts'
import { fill } from './fill.ts'
import { between, pick, type Random, sample } from './random-choice.ts'
import { COMPONENTS, REMARKS, SAYINGS, TASKS } from './vocabulary.ts'

/** Exchanges that are never judged: six messages of a call or a result each. */
const RECENT = 3
/** Steps that the work goes on for behind the cut: what they touch was needed. */
const STEPS_AHEAD = 14
/** Where a step finds its file: the task at hand, one of the last tasks, or anywhere. */
const AT_HAND = 0.7
const BEFORE = 0.2
/** Share of steps before which something is said. */
const SPOKEN = 0.06

interface Step {
  readonly kind: 'open' | 'patch' | 'tests' | 'grep' | 'said' | 'rule' | 'remark'
  readonly text: string
  readonly file?: File
  readonly failure?: string
}

interface Work {
  readonly steps: Step[]
  readonly files: File[]
  atHand: File[]
}

export function buildWorkSessions(count: number, seed: number): LabelledCase[] {
  const random = randomStream(seed)
  const cases: LabelledCase[] = []
  while (cases.length < count) {
    const components = sample(COMPONENTS, between(2, 5, random), random)
    const work: Work = { steps: [], files: [], atHand: [] }
    const length = between(25, 130, random)
    goOn(work, length, components, random)
    const made = random() < 0.5 ? askAbout(work, random) : cutWork(work, components, random)
    if (made !== undefined) cases.push(made)
  }
  return cases
}

function goOn(work: Work, steps: number, components: readonly string[], random: Random): void {
  for (let step = 0; step < steps; step += 1) {
    if (step % 12 === 0) beginTask(work, components, random)
    if (random() < SPOKEN) work.steps.push(say(components, random))
    work.steps.push(nextStep(work, random))
  }
}

/** What is said between: a rule, a statement that the work does not rest on, or a remark of the agent's. */
function say(components: readonly string[], random: Random): Step {
  if (random() < 0.4)
    return { kind: 'remark', text: fill(pick(REMARKS, random), components, random) }
  for (;;) {
    const { by, isRule, text } = makeFact(pick(components, random), random)
    if (by === 'user') return { kind: isRule ? 'rule' : 'said', text }
  }
}

function beginTask(work: Work, components: readonly string[], random: Random): void {
  const component = pick(components, random)
  const own = work.files.filter((file) => file.component === component)
  const fresh = Array.from({ length: between(1, 3, random) }, () => makeFile(component, random))
  work.files.push(...fresh)
  work.atHand = [...fresh, ...sample(own, 2, random)]
}

function nextStep(work: Work, random: Random): Step {
  const place = random()
  const file =
    place < AT_HAND
      ? pick(work.atHand, random)
      : pick(place < AT_HAND + BEFORE ? work.files.slice(-8) : work.files, random)
  const say = fill(pick(SAYINGS, random), [file.component], random)
  const isOpen = work.steps.some((step) => step.kind === 'open' && step.file === file)
  const kind = random()
  if (!isOpen || kind < 0.3) return { kind: 'open', file, text: openFile(file, say) }
  if (kind < 0.7) return { kind: 'patch', file, text: patchFile(file, say, random) }
  if (kind < 0.85) return { kind: 'grep', text: grep(file.component, say, random) }
  const failure =
    random() < 0.5
      ? `FAIL ${file.path}:${between(1, 90, random)} expected ${between(1, 9_000, random)}`
      : undefined
  const text = runTests(file.component, failure, say, random)
  return { kind: 'tests', file, text, ...(failure !== undefined && { failure }) }
}

/** The newest reading of each of the files, and what was changed in it since. */
function neededFor(files: ReadonlySet<File>, steps: readonly Step[]): Set<Step> {
  const needed = new Set<Step>()
  const isRead = new Set<File>()
  for (const step of [...steps].reverse()) {
    const { file, kind } = step
    if (file === undefined || !files.has(file) || isRead.has(file)) continue
    if (kind === 'open') isRead.add(file)
    if (kind === 'open' || kind === 'patch') needed.add(step)
  }
  return needed
}

function cutWork(
  work: Work,
  components: readonly string[],
  random: Random,
): LabelledCase | undefined {
  const done = [...work.steps]
  goOn(work, STEPS_AHEAD, components, random)
  const ahead = new Set(work.steps.slice(done.length).flatMap(({ file }) => file ?? []))
  const needed = neededFor(ahead, done)
  // A rule holds for all that the work goes on with.
  for (const step of done) if (step.kind === 'rule') needed.add(step)
  const request = fill(pick(TASKS, random), components, random)
  return { ...toCase('work', request, done, needed), isUnderWay: true }
}

function askAbout(work: Work, random: Random): LabelledCase | undefined {
  const failures = work.steps.slice(0, -RECENT).filter(({ failure }) => failure !== undefined)
  const failed = failures.at(-1)
  if (failed !== undefined && random() < 0.4) {
    const { component } = failed.file!
    const needed = neededFor(new Set([failed.file!]), work.steps).add(failed)
    const request = pick(
      [
        `Why do the tests of ${component} fail?`,
        `What exactly went wrong in ${component}?`,
        `Fix the error in ${component}.`,
      ],
      random,
    )
    return toCase('failure', request, work.steps, needed)
  }
  const file = pick(work.files, random)
  const name = file.path.split('/').at(-1)!
  const request = pick(
    [
      `Explain what ${file.path} does.`,
      `Go back to ${name} and finish it.`,
      `Show me ${name} as it is now.`,
      `What did you change in ${file.path}, and why?`,
    ],
    random,
  )
  return toCase('file', request, work.steps, neededFor(new Set([file]), work.steps))
}

function toCase(
  kind: string,
  request: string,
  steps: readonly Step[],
  needed: ReadonlySet<Step>,
): LabelledCase {
  const turns = steps.map(
    (step): Turn => ({ role: roleOf(step), text: step.text, needed: needed.has(step) }),
  )
  return { kind, request, turns, recent: RECENT, isUnderWay: false }
}

function roleOf({ kind }: Step): Turn['role'] {
  if (kind === 'rule' || kind === 'said') return 'user'
  return kind === 'remark' ? 'assistant' : 'tool'
}
