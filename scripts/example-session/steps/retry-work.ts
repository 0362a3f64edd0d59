import { readPiece } from '../pieces.ts'
import { testReport } from '../reports.ts'
import type { Step } from '../session.ts'
import { CLIENT_TESTS } from './first-task.ts'

export const RETRY_TEST_NAMES = [
  'returns the first answer without waiting',
  'does not retry a declined charge',
  'makes three attempts in all, then gives up with the last error',
  'doubles the longest wait from 250 ms on',
  'never waits longer than the longest delay',
]

export const RETRY_WORK: readonly Step[] = [
  {
    assistant: 'Nothing there speaks against the plan. The function and its tests first.',
    uses: [
      { tool: 'edit_file', path: 'src/payments/retry.ts', old: '', new: readPiece('retry.ts') },
      {
        tool: 'edit_file',
        path: 'test/payments/retry.test.ts',
        old: '',
        new: readPiece('retry.test.ts'),
      },
    ],
  },
  {
    assistant: '',
    uses: [
      {
        tool: 'run_tests',
        filter: 'payments/retry',
        output: testReport(12, {
          name: 'withRetry',
          passed: RETRY_TEST_NAMES.slice(0, 2),
          failed: [
            {
              name: 'makes three attempts in all, then gives up with the last error',
              at: 'test/payments/retry.test.ts:42:3',
              error:
                'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n4 !== 3\n\n    at async TestContext.<anonymous> (test/payments/retry.test.ts:45:12)',
            },
            {
              name: 'doubles the longest wait from 250 ms on',
              at: 'test/payments/retry.test.ts:54:3',
              error:
                'AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:\n+ actual - expected\n\n  [\n+   500,\n+   1000\n-   250,\n-   500\n  ]',
            },
            {
              name: 'never waits longer than the longest delay',
              at: 'test/payments/retry.test.ts:60:3',
              error:
                'AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:\n+ actual - expected\n\n  [\n+   6000,\n+   12000,\n+   24000\n-   3000,\n-   4000,\n-   4000\n  ]',
            },
          ],
        }),
      },
    ],
  },
  {
    assistant:
      'Two faults of mine: the count is off by one, in the bound and in the exponent, and the longest delay is not applied at all. I read the file again before I edit it.',
    uses: [{ tool: 'read_file', path: 'src/payments/retry.ts', from: 24, to: 46 }],
  },
  {
    assistant: '',
    uses: [
      {
        tool: 'edit_file',
        path: 'src/payments/retry.ts',
        old: `      if (number > limits.attempts) throw error
      const delay = tools.random() * limits.baseDelayMs * 2 ** number`,
        new: `      if (number >= limits.attempts) throw error
      const ceiling = Math.min(limits.longestDelayMs, limits.baseDelayMs * 2 ** (number - 1))
      const delay = tools.random() * ceiling`,
      },
      {
        tool: 'run_tests',
        filter: 'payments/retry',
        output: testReport(13, { name: 'withRetry', passed: RETRY_TEST_NAMES }),
      },
    ],
  },
  {
    assistant: 'Green. Now the client.',
    uses: [{ tool: 'read_file', path: 'src/payments/client.ts' }],
  },
  {
    assistant: '',
    uses: [
      {
        tool: 'edit_file',
        path: 'src/payments/client.ts',
        old: `  async function send<T>(call: Call, parse: (value: unknown) => T): Promise<T> {
    const startedAt`,
        new: `  function send<T>(call: Call, parse: (value: unknown) => T): Promise<T> {
    const isRepeatable = call.method === 'GET' || call.idempotencyKey !== undefined
    return withRetry(() => sendOnce(call, parse), isRepeatable ? ANY_FAILURE : REFUSED, TOOLS)
  }

  async function sendOnce<T>(call: Call, parse: (value: unknown) => T): Promise<T> {
    const startedAt`,
      },
      {
        tool: 'edit_file',
        path: 'src/payments/client.ts',
        old: `const DEFAULT_TIMEOUT_MS = 8_000
`,
        new: `const DEFAULT_TIMEOUT_MS = 8_000

/** The provider said that it did not take the call, so that it may be made again. */
const REFUSED: ReadonlySet<PaymentErrorCode> = new Set(['rate_limited', 'unavailable'])
/** Only for calls that may be made twice: after a network error nobody knows. */
const ANY_FAILURE: ReadonlySet<PaymentErrorCode> = new Set([...REFUSED, 'network'])

const TOOLS: RetryTools = { now: () => performance.now(), wait: setTimeout, random: Math.random }
`,
      },
      {
        tool: 'edit_file',
        path: 'src/payments/client.ts',
        old: `import { PaymentError, toPaymentError } from './errors.ts'
import { keyForCharge, keyForRefund } from './idempotency.ts'
`,
        new: `import { setTimeout } from 'node:timers/promises'
import { PaymentError, type PaymentErrorCode, toPaymentError } from './errors.ts'
import { keyForCharge, keyForRefund } from './idempotency.ts'
import { type RetryTools, withRetry } from './retry.ts'
`,
      },
    ],
  },
  {
    assistant: '',
    uses: [
      {
        tool: 'run_tests',
        filter: 'payments',
        output: testReport(
          14,
          {
            name: 'payment client',
            passed: CLIENT_TESTS.filter((name) => !/503|timeout/.test(name)),
            failed: [
              {
                name: 'maps a 503 to unavailable',
                at: 'test/payments/client.test.ts:58:3',
                error:
                  "AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:\n+ actual - expected\n\n  Comparison {\n+   code: 'network'\n-   code: 'unavailable'\n  }",
              },
              {
                name: 'maps a timeout to network',
                at: 'test/payments/client.test.ts:63:3',
                error:
                  'PaymentError: GET /v2/charges/ch_0001 did not complete\n    [cause]: Error: call 3 was not expected\n        at Object.send (test/payments/fake-transport.ts:12:33)\n\n  the test took 742 ms, more than its limit of 500 ms',
              },
            ],
          },
          { name: 'withRetry', passed: RETRY_TEST_NAMES },
        ),
      },
    ],
  },
]
