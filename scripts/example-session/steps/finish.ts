import { serviceLog, testReport } from '../reports.ts'
import type { Step } from '../session.ts'
import { CLIENT_TESTS } from './first-task.ts'
import { RETRY_TEST_NAMES } from './retry-work.ts'

export const FINISH: readonly Step[] = [
  {
    user: 'While we are at it, can you check that staging is calm since the last deploy? Just the minute after 13:20.',
  },
  {
    assistant: '',
    uses: [
      {
        tool: 'run_command',
        command: 'stagectl logs courier-desk --since 13:20 --until 13:21',
        output: serviceLog(22, '2024-05-14T13:20', 30, {
          3: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges',
            status: 200,
            tookMs: 164,
          },
          11: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/refunds',
            status: 503,
            tookMs: 377,
          },
          12: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/refunds',
            status: 200,
            tookMs: 241,
          },
          21: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges/ch_5604',
            status: 200,
            tookMs: 58,
          },
          25: {
            level: 'debug',
            message: 'payment call',
            path: '/v2/charges',
            status: 402,
            tookMs: 133,
          },
          26: { level: 'warn', message: 'checkout failed', orderId: 'ord_90377', code: 'declined' },
        }),
      },
    ],
  },
  {
    assistant:
      'Calm. One refund needed a second attempt and got it, one charge was declined by the provider, which is a real no and was not retried. No 429 in that minute, so it says nothing about retry-after.',
  },
  { user: 'Good. And do the docs still say what the code does?' },
  {
    assistant: '',
    uses: [
      { tool: 'read_file', path: 'docs/payments.md' },
      { tool: 'search', pattern: 'try later' },
    ],
  },
  {
    assistant:
      'The page does not mention retries. I add what holds today, and the header when it is in.',
    uses: [
      {
        tool: 'edit_file',
        path: 'docs/payments.md',
        old: `## Idempotency
`,
        new: `## Retries

The client retries by itself: at most three attempts, full jitter from 250 ms, no wait over four
seconds, twenty seconds in all. Charges, refunds and reads are retried on \`network\`,
\`rate_limited\` and \`unavailable\`; a capture on the last two only, because after a network error
nobody knows whether it happened. What a caller sees is the error of the last attempt.

## Idempotency
`,
      },
      { tool: 'read_file', path: 'src/payments/client.ts', from: 1, to: 92 },
    ],
  },
  {
    assistant: 'The page and the code agree. A last run of everything under payments.',
    uses: [
      {
        tool: 'run_tests',
        filter: 'payments',
        output: testReport(
          34,
          { name: 'payment client', passed: CLIENT_TESTS },
          { name: 'withRetry', passed: RETRY_TEST_NAMES },
        ),
      },
    ],
  },
  { assistant: 'All 12 pass. Ready when you are.' },
  {
    user: `Back to the retry work, then. Please put in the retry-after part as we agreed, with the cap, and wire up the log line for a retry. Before I open the pull request, also check that every limit I set at the start still holds, and tell me what is left.`,
  },
]
