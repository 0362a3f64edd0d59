/** An error as plain data, for another thread to log. */
export interface FailureReport {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: string | undefined
}

export function reportFailure(error: unknown): FailureReport {
  if (!(error instanceof Error)) {
    return { name: typeof error, message: '', stack: undefined, code: undefined }
  }
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  return { name, message, stack, code: typeof code === 'string' ? code : undefined }
}

/** An error that says where and what the reported one was. */
export function failureOf({ name, message, stack, code }: FailureReport): Error {
  const error = new Error(message)
  return Object.assign(error, { name, stack, ...(code !== undefined && { code }) })
}
