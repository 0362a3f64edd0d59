import type { Problem } from '../data/answer.ts'
import type { Input } from '../data/read-input.ts'

const EXCERPT = 160

interface ProblemBoxProps {
  readonly problem: Problem
  readonly input: Input | undefined
  /** Something older is shown below. */
  readonly isStale?: boolean
}

/** A problem document as what it is: title, detail, and each place with its rule. */
export function ProblemBox({ problem, input, isStale = false }: ProblemBoxProps) {
  const { title, detail, status, code, instance, retryAfter, errors } = problem
  return (
    <section class="problem" role="alert" aria-label="Problem">
      <h2>{title}</h2>
      <p>{detail}</p>
      {isStale && <p>What stands below is from before.</p>}
      {errors.length > 0 && (
        <ul>
          {errors.map((fault, index) => (
            <li key={`${fault.pointer} ${index}`}>
              <code>{fault.pointer === '' ? '(the whole body)' : fault.pointer}</code>
              <span>
                {fault.detail} <small>{fault.rule}</small>
              </span>
              <Excerpt pointer={fault.pointer} input={input} />
            </li>
          ))}
        </ul>
      )}
      <p class="fine">
        {[
          status === undefined ? '' : `HTTP ${status}`,
          code ?? '',
          instance === undefined ? '' : `request ${instance}`,
          retryAfter === undefined ? '' : `try again in ${retryAfter} s`,
        ]
          .filter((part) => part !== '')
          .join(' · ')}
      </p>
    </section>
  )
}

/** The message that a pointer leads to, so that nobody has to count. */
function Excerpt({ pointer, input }: { pointer: string; input: Input | undefined }) {
  const [, member, index] = pointer.split('/')
  if (input === undefined || member !== input.list || index === undefined) return null
  const item = input.items[Number(index)]
  if (item === undefined) return null
  const text = JSON.stringify(item)
  return <q>{text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text}</q>
}
