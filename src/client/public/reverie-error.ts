export interface Failure {
  readonly code: string
  readonly message: string
  readonly status?: number
  readonly requestId?: string | null
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The service refused or failed, or nobody answered; programs look at `code`. */
export class ReverieError extends Error {
  override readonly name: string = 'ReverieError'
  /** One of docs/refusals.md, `internal`, or this side's own: `unreachable`, `too_slow`, `not_reverie`. */
  readonly code: string
  /** HTTP's; null when nobody answered. */
  readonly status: number | null
  /** Under this the log of the service tells the rest. */
  readonly requestId: string | null
  /** What else the reply said. */
  readonly details: Readonly<Record<string, unknown>>

  constructor({ code, message, status, requestId, details, cause }: Failure) {
    super(message, { cause })
    this.code = code
    this.status = status ?? null
    this.requestId = requestId ?? null
    this.details = details ?? {}
  }
}

/** Whether Reverie has not answered: nobody has, not in time, or somebody else. */
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
  return new ReverieError({ code: named, message, status, requestId, details })
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
