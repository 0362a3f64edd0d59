export { findFaults } from './find-faults.ts'
export { newFaults } from './new-faults.ts'
export { sameSignatures } from './same-signatures.ts'
export type { Fault, WireFormat, WirePayload } from './types.ts'
