import { testReport } from '../reports.ts'
import type { Step } from '../session.ts'

const RULES = `You are a coding agent in the repository courier-desk, a TypeScript service that takes orders and charges them through a payment provider.

Project rules
- Node 20 and ESM. Relative imports end in .ts. No semicolons, single quotes, two spaces.
- Every exported function says in a comment what it promises, unless its name already does.
- Errors that leave src/payments are PaymentError, with a code from src/payments/errors.ts.
- Money is in minor units, as whole numbers. Never compute with floats.
- Tests use node:test and node:assert/strict. No mocking library: write a small fake.
- Never read or print .env, and never run a command against production.
- Read a file before you edit it. Run the tests of the folder that you changed before you report.
- Answer briefly. Say what you changed, what you did not, and what you are unsure of.`

export const CLIENT_TESTS = [
  'charges with the amount in minor units',
  'sends the same idempotency key for the same order and amount',
  'maps a 402 to declined',
  'maps a 503 to unavailable',
  'maps a timeout to network',
  'reports a body that is no object as malformed',
  'never logs the api key',
]

export const FIRST_TASK: readonly Step[] = [
  { system: RULES },
  {
    user: `Please add retry with backoff to the payment client. The provider answers 503 a few times a day and 429 at the top of the hour, and every one of those is a customer who sees "try later".

What I want:
- keep Node 20, the hosts will not move before winter
- never touch the public API: what src/payments/index.ts exports, and PaymentClientOptions, stay exactly as they are. Three other repositories compile against them
- retries belong inside src/payments, checkout must not know about them
- tests for it that do not sleep

Look around first and tell me what you plan before you write anything.`,
  },
  {
    assistant: 'I will look at the client and at what surrounds it first.',
    uses: [
      { tool: 'list_files', folder: 'src/' },
      { tool: 'read_file', path: 'src/payments/client.ts' },
    ],
  },
  {
    assistant: '',
    uses: [
      { tool: 'read_file', path: 'src/payments/types.ts' },
      { tool: 'read_file', path: 'src/payments/errors.ts' },
      { tool: 'read_file', path: 'src/payments/index.ts' },
    ],
  },
  {
    assistant: 'The client has one place through which every call goes. Who creates it?',
    uses: [{ tool: 'search', pattern: 'createPaymentClient' }],
  },
  {
    assistant: '',
    uses: [{ tool: 'read_file', path: 'src/http/transport.ts' }],
  },
  {
    assistant: 'Before I plan, the tests as they are now.',
    uses: [
      {
        tool: 'run_tests',
        filter: 'payments',
        output: testReport(11, { name: 'payment client', passed: CLIENT_TESTS }),
      },
    ],
  },
  {
    assistant: `Plan, nothing written yet:

1. A new file src/payments/retry.ts with a function that runs an attempt, and on a retryable PaymentError waits and runs it again. Exponential backoff with full jitter. The clock, the wait and the random source come in as arguments, so the tests never sleep.
2. client.ts wraps the body of \`send\` in it. Nothing in types.ts or index.ts changes.
3. Retried: network, rate_limited, unavailable. Not retried: declined, invalid_request, unauthorized, malformed.

Two questions. A capture has no idempotency key: a timeout may hide a capture that worked, and the retry would get a 409. Leave captures alone after a network error? And what limits do you want: attempts, longest wait, time in all?`,
  },
  {
    user: `Good plan. Captures: retry them on 429 and 503 only, never after a network error. Charges and refunds have their key, so those are fine.

Limits: at most 3 attempts including the first one, no single wait over 4 seconds, and 20 seconds for everything, attempts included. Checkout holds the order lock for 30 seconds, we must be out well before that.`,
  },
  {
    assistant:
      'Understood. I check how the keys are made, and what the configuration and the docs say.',
    uses: [
      { tool: 'read_file', path: 'src/payments/idempotency.ts' },
      { tool: 'read_file', path: 'src/config.ts' },
      { tool: 'read_file', path: 'docs/payments.md' },
    ],
  },
]
