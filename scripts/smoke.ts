/**
 * Asks the built service for what a first user asks for. Prints one line per check and, at last,
 * `N passed, N failed`.
 */
import { startBuiltService } from './built-service.ts'
import { postExample } from './example-request.ts'

let passed = 0
let failed = 0

const service = await startBuiltService()
try {
  check('readiness', (await fetch(`${service.url}/readyz`)).status === 200)
  const { status, answer } = await postExample(service.url)
  check('the example is compacted', status === 200 && answer.outcome === 'compacted')
  check('it fits its target', answer.fits && answer.tokensAfter <= answer.budget.targetTokens.value)
  check(
    'every change has a reason',
    answer.actions.every(({ reason }) => reason !== ''),
  )
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  check(
    'the compaction is counted',
    /^precis_compactions_total\{[^}]*outcome="compacted"[^}]*\} 1$/m.test(metrics),
  )
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    openapi?: string
  }
  check('the OpenAPI document is served', document.openapi === '3.1.0')
  const refused = await fetch(`${service.url}/compact`, { method: 'POST', body: '{}' })
  check('what is not JSON is refused', refused.status === 415)
} catch (error) {
  console.error(error)
  failed += 1
} finally {
  check('it stops on SIGTERM with exit code 0', (await service.stop()) === 0)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function check(what: string, holds: boolean) {
  if (holds) passed += 1
  else failed += 1
  console.log(`${holds ? 'ok  ' : 'FAIL'} smoke: ${what}`)
}
