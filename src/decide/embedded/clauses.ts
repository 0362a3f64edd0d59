/**
 * A request may ask for several things ("Which port ...? Who owns ...?"). Each is a request of its own, and a
 * message that answers one of them is needed, however little it says of the others.
 */

/** Most clauses that are judged by themselves: what is judged for each is linear in the messages. */
export const MOST_CLAUSES = 8

/** Units of a request that is cut: a pasted file asks for nothing by its lines. */
const MOST_LENGTH = 4_096

const SHORTEST = 12

/**
 * Lines of a request and the questions in them, the last `MOST_CLAUSES` that are long enough to name
 * something. None where the request asks for one thing only.
 */
export function clausesOf(request: string): readonly string[] {
  if (request.length > MOST_LENGTH) return []
  const clauses = request
    .split(/\n+|(?<=[?？])\s*/u)
    .map((clause) => clause.trim())
    .filter(({ length }) => length >= SHORTEST)
  return clauses.length < 2 ? [] : clauses.slice(-MOST_CLAUSES)
}
