/** The service answered, and the answer is no or a fault. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** HTTP's. */
  readonly status: number
  readonly code: string
  /** What else the reply said. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, details: Record<string, unknown>) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** Nobody answered: there is no service at the address, or it took too long. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly url: string
  readonly code: 'unreachable' | 'too_slow' | 'not_reverie'

  constructor(url: string, code: Unreachable['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.url = url
    this.code = code
  }
}
