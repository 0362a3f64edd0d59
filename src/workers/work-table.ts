import { CheckBodySchema } from '../contract/check.ts'
import { CompactBodySchema } from '../contract/compact.ts'
import { checkWork } from './check-work.ts'
import { compactWork } from './compact-work.ts'
import type { Work } from './work.ts'

/** All work that can be done on another thread, with the schema of its body. */
export const WORK = {
  compact: { work: compactWork, schema: CompactBodySchema },
  check: { work: checkWork, schema: CheckBodySchema },
} as const satisfies Record<string, { readonly work: Work; readonly schema: object }>

export type WorkName = keyof typeof WORK
