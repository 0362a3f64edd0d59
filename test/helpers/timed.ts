/**
 * For a test that measures time: other work on the machine only ever adds to it, so that one quiet
 * measurement of several is enough, and work that grows too fast fails them all.
 */
export const TIMED = { retry: 3 } as const
