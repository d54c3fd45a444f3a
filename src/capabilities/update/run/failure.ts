import type { ErrorCode } from '../schemas.ts'

/** A step that ended the run. The running version is untouched. */
export class UpdateFailure extends Error {
  override readonly name = 'UpdateFailure'
  readonly code: ErrorCode
  readonly output: string
  /** What the program reported as its version. */
  readonly observed: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    { output = '', observed }: { readonly output?: string; readonly observed?: string } = {},
  ) {
    super(message)
    this.code = code
    this.output = output
    this.observed = observed
  }
}

/** The downloaded files do not match their description. */
export function unverifiable(why: string): UpdateFailure {
  return new UpdateFailure('manifest_invalid', `The update cannot be verified: ${why}.`)
}
