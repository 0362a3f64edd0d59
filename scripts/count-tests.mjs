/**
 * Prints `N passed, N failed` (and `, N skipped` where there are) for one of vitest's JSON reports:
 * `node scripts/count-tests.mjs report.json [failed checks] [exit code of vitest]`. Plain JavaScript, so
 * that it can still say what failed where nothing could be installed.
 */
import { readFileSync } from 'node:fs'

const [file, failedChecks = '0', exitCode = '0'] = process.argv.slice(2)
let passed = 0
let failed = Number(failedChecks)
let skipped = 0
try {
  const report = JSON.parse(readFileSync(file, 'utf8'))
  passed += report.numPassedTests
  skipped += report.numPendingTests + report.numTodoTests
  // A file that does not even load has no tests to fail.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const failures = report.numFailedTests + broken.length
  failed += failures
  // An unhandled error belongs to no test, and the report does not know of it.
  if (failures === 0 && (!report.success || exitCode !== '0')) failed += 1
  if (passed === 0 && failed === 0) failed += 1
} catch {
  failed += 1
}
process.stdout.write(
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
)
process.exitCode = failed === 0 ? 0 : 1
