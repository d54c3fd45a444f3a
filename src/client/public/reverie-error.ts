export interface Failure {
  readonly code: string
  readonly message: string
  readonly status?: number
  readonly requestId?: string | null
  readonly retryAfterSeconds?: number | null
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** A refusal or a failure of the service, or a missing reply; programs read `code`. */
export class ReverieError extends Error {
  override readonly name: string = 'ReverieError'
  /** One of docs/refusals.md, `internal`, or of this client: `unreachable`, `too_slow`, `not_reverie`. */
  readonly code: string
  /** The HTTP status; null without a reply. */
  readonly status: number | null
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null
  /** When the request may be repeated; null if the reply names no time. */
  readonly retryAfterSeconds: number | null
  /** The other fields of the reply. */
  readonly details: Readonly<Record<string, unknown>>

  constructor({ code, message, cause, ...failure }: Failure) {
    super(message, { cause })
    this.code = code
    this.status = failure.status ?? null
    this.requestId = failure.requestId ?? null
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null
    this.details = failure.details ?? {}
  }
}

/** Whether no reply, a late reply, or a reply of another program arrived. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ReverieError && unansweredCodes.includes(error.code)
}

const unansweredCodes = ['unreachable', 'too_slow', 'not_reverie']

export async function toReverieError(reply: Response): Promise<ReverieError> {
  const { status, headers } = reply
  const requestId = headers.get('x-svc-request-id')
  const body = parse(await reply.text())
  if (!body) {
    const message = `the server at this address is not Reverie: status ${status}, no JSON`
    return new ReverieError({ code: 'not_reverie', message, status, requestId })
  }
  const { error, code, ...details } = body
  const message = typeof error === 'string' ? error : `status ${status}`
  const named = typeof code === 'string' ? code : `http_${status}`
  const retryAfterSeconds = parseSeconds(headers.get('retry-after'))
  return new ReverieError({ code: named, message, status, requestId, retryAfterSeconds, details })
}

function parseSeconds(text: string | null): number | null {
  const seconds = Number(text ?? Number.NaN)
  return seconds >= 0 ? seconds : null
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
