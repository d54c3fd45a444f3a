type RouterErrorCode =
  | 'invalid-config'
  | 'invalid-target-ref'
  | 'policy-not-found'
  | 'no-candidates'
  | 'target-not-found'
  | 'execution-failed'
  | 'budget-exhausted'

/** A request that cannot be routed, or that no target has answered. Its details are for the caller. */
export class RouterError extends Error {
  override readonly name = 'RouterError'
  readonly code: RouterErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: RouterErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.details = { code, ...details }
  }
}
