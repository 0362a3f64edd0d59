import { serviceLog, testReport } from '../reports.ts'
import type { Step } from '../session.ts'
import { CLIENT_TESTS } from './first-task.ts'
import { RETRY_TEST_NAMES } from './retry-work.ts'

const PAYMENTS_PASS = (run: number, ...more: readonly string[]): string =>
  testReport(
    run,
    { name: 'payment client', passed: CLIENT_TESTS },
    { name: 'withRetry', passed: [...RETRY_TEST_NAMES, ...more] },
  )

export const STAGING_LOG: readonly Step[] = [
  {
    assistant:
      'Both tests give a single answer, and the client now asks again; the second one also really waits. I look at how the tests build the client.',
    uses: [
      { tool: 'read_file', path: 'test/payments/client.test.ts' },
      { tool: 'read_file', path: 'test/payments/fake-transport.ts' },
    ],
  },
  {
    assistant:
      'The options are public, so the wait cannot come in there. The smallest thing: the module keeps its tools in a factory that index.ts does not export, and the tests use that one.',
    uses: [
      {
        tool: 'edit_file',
        path: 'src/payments/client.ts',
        old: `export function createPaymentClient(options: PaymentClientOptions): PaymentClient {
  const`,
        new: `export function createPaymentClient(options: PaymentClientOptions): PaymentClient {
  return createClientWith(options, TOOLS)
}

/** For tests: not exported from index.ts, because the options are public and must not grow. */
export function createClientWith(options: PaymentClientOptions, tools: RetryTools): PaymentClient {
  const`,
      },
      {
        tool: 'edit_file',
        path: 'src/payments/client.ts',
        old: 'isRepeatable ? ANY_FAILURE : REFUSED, TOOLS)',
        new: 'isRepeatable ? ANY_FAILURE : REFUSED, tools)',
      },
      {
        tool: 'edit_file',
        path: 'test/payments/client.test.ts',
        old: `    const { client } = setUp(answer(503, {}))
`,
        new: `    const { client } = setUp(answer(503, {}), answer(503, {}), answer(503, {}))
`,
      },
      {
        tool: 'edit_file',
        path: 'test/payments/client.test.ts',
        old: `setUp(new Error('timed out'))`,
        new: `setUp(new Error('timed out'), new Error('timed out'), new Error('timed out'))`,
      },
      {
        tool: 'edit_file',
        path: 'test/payments/client.test.ts',
        old: `  const client = createPaymentClient({
    baseUrl: 'https://sandbox.payments.example',
    apiKey: 'test-key',
    transport,
    logger: createLogger('debug', (line) => lines.push(line)),
  })`,
        new: `  const client = createClientWith(
    {
      baseUrl: 'https://sandbox.payments.example',
      apiKey: 'test-key',
      transport,
      logger: createLogger('debug', (line) => lines.push(line)),
    },
    { now: () => 0, wait: async () => {}, random: () => 0 },
  )`,
      },
      {
        tool: 'edit_file',
        path: 'test/payments/client.test.ts',
        old: `import { createPaymentClient, PaymentError } from '../../src/payments/index.ts'`,
        new: `import { createClientWith } from '../../src/payments/client.ts'
import { PaymentError } from '../../src/payments/index.ts'`,
      },
    ],
  },
  {
    assistant: '',
    uses: [{ tool: 'run_tests', filter: 'payments', output: PAYMENTS_PASS(15) }],
  },
  {
    assistant: `Done, all 12 tests of src/payments pass.

- src/payments/retry.ts: three attempts, full jitter from 250 ms, no wait over 4 s, nothing starts that would pass 20 s.
- client.ts: charges, refunds and reads are retried on network, rate_limited and unavailable; captures on the last two only.
- index.ts and types.ts are untouched.

Unsure: the 20 seconds bound the waits, but an attempt that is under way is only bounded by its own timeout of 8 s.`,
  },
  { user: 'Nice, that was quick. Coffee break, back in ten.' },
  { assistant: 'Enjoy it. Nothing is running meanwhile.' },
  {
    user: 'Back. I deployed the branch to staging. Can you look at the service log there for the minute after 10:04? Something still shows up as try-later.',
  },
  {
    assistant: '',
    uses: [
      {
        tool: 'run_command',
        command: 'stagectl logs courier-desk --since 10:04 --until 10:05',
        output: serviceLog(21, '2024-05-14T10:04', 34, {
          6: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges',
            status: 503,
            tookMs: 212,
          },
          7: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges',
            status: 200,
            tookMs: 187,
          },
          15: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges',
            status: 429,
            tookMs: 9,
          },
          16: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges',
            status: 429,
            tookMs: 8,
          },
          17: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges',
            status: 429,
            tookMs: 11,
          },
          18: {
            level: 'warn',
            message: 'checkout failed',
            orderId: 'ord_90211',
            code: 'rate_limited',
          },
          27: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges/ch_5518/capture',
            status: 503,
            tookMs: 340,
          },
          28: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges/ch_5518/capture',
            status: 200,
            tookMs: 298,
          },
        }),
      },
    ],
  },
  {
    assistant:
      'Two retries worked: a charge and a capture after a 503. The one that failed had three 429 within a second. The docs say the sandbox sends a retry-after with those; do we read it anywhere?',
    uses: [{ tool: 'search', pattern: 'retry-after' }],
  },
  {
    assistant: `We do not, only the docs know of it. Our waits after a 429 are 0 to 250 and 0 to 500 ms, far less than the window of a second that the limit uses.

I would read retry-after, as seconds or as an HTTP date, and wait that long instead of the backoff, at most your 4 seconds. If the provider asks for more than that, give up at once: waiting less than it asked only burns an attempt. Shall I?`,
  },
  {
    user: `Yes, do that, with exactly that cap.

And one more rule, for this and for everything after it: never log the idempotency key or the method token, in no level. The line for a retry has attempt, delay and code, and nothing else. And no new dependencies, please, security has to review each one.`,
  },
  {
    assistant: 'Noted: attempt, delay and code only, no key, no token, no new dependency.',
    uses: [
      { tool: 'read_file', path: 'src/log/logger.ts' },
      { tool: 'read_file', path: 'src/payments/errors.ts' },
      { tool: 'read_file', path: 'src/payments/retry.ts' },
    ],
  },
  {
    assistant: 'The line for a retry first; it needs no header yet.',
    uses: [
      {
        tool: 'edit_file',
        path: 'src/payments/retry.ts',
        old: `      await tools.wait(delay)
`,
        new: `      tools.onRetry?.({ attempt: number, delay: Math.round(delay), code: error.code })
      await tools.wait(delay)
`,
      },
      {
        tool: 'edit_file',
        path: 'src/payments/retry.ts',
        old: `  readonly random: () => number
}`,
        new: `  readonly random: () => number
  /** Told before each wait. These three fields may be logged, and nothing else. */
  readonly onRetry?: (retry: { attempt: number; delay: number; code: PaymentErrorCode }) => void
}`,
      },
      {
        tool: 'run_tests',
        filter: 'payments',
        output: PAYMENTS_PASS(16),
      },
    ],
  },
]
