/** What Claude Code's own compaction left of the first part of the session. */
export const SUMMARY = `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.

Summary:
1. Primary request: the payment client of courier-desk gets retries with backoff. The provider answers 503 and 429 at times, and charges must never be made twice.
2. Rules of the user, to be kept to the end: captures are retried on 429 and 503 only, never after a network error. Errors that leave src/payments are PaymentError. Money is in minor units.
3. Files so far: src/payments/retry.ts (new: withRetry, three attempts, full jitter), test/payments/retry.test.ts (new), src/payments/client.ts (calls go through withRetry, the wait can be handed in), test/payments/client.test.ts (adapted).
4. Faults that were found and mended: the count of attempts was off by one, in the bound and in the exponent; two tests of the client gave a single answer and expected no second call.
5. State: all 12 tests of src/payments pass. Nothing is committed. The user went for a coffee and will deploy the branch to staging.`
