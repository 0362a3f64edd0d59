import { asRecord } from '../../../test/helpers/wire-rules/json.ts'

/** Whether the document of the API lists a status for a call; undefined where it has no such call. */
export type IsDocumented = (method: string, path: string, status: number) => boolean | undefined

/** Reads the service's own `/openapi.json`. */
export function createIsDocumented(document: unknown): IsDocumented {
  const calls = new Map<string, ReadonlySet<string>>()
  for (const [path, item] of Object.entries(asRecord(asRecord(document).paths))) {
    for (const [method, operation] of Object.entries(asRecord(item))) {
      const statuses = Object.keys(asRecord(asRecord(operation).responses))
      calls.set(`${method.toUpperCase()} ${path}`, new Set(statuses))
    }
  }
  return (method, path, status) => {
    const name = path.split('?', 1)[0] ?? ''
    const statuses = calls.get(`${method === 'HEAD' ? 'GET' : method} ${name}`)
    if (statuses === undefined) return undefined
    const kind = String(status).slice(0, 1)
    return statuses.has(String(status)) || statuses.has(`${kind}XX`) || statuses.has(`${kind}xx`)
  }
}
