import { Refusal } from '../../../kernel/errors/refusal.ts'
import { TargetError, type TargetErrorKind } from './target.ts'

const maxErrorBytes = 65_536
const maxMessageLength = 200

/** Reads the status, `retry-after` and the message of a refused call. The rest is discarded. */
export async function readHttpError(response: Response): Promise<TargetError> {
  const { status, headers } = response
  const providerMessage = findMessage(await readStart(response))
  const retryAfterMs = parseRetryAfter(headers)
  return new TargetError(`The provider answered with status ${status}.`, {
    kind: 'http',
    status,
    retryAfterMs,
    providerMessage,
  })
}

async function readStart({ body }: Response): Promise<unknown> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > maxErrorBytes) break
    }
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Providers put the message at `error.message`, `error`, `message` or `detail`. */
function findMessage(body: unknown): string | undefined {
  const first: unknown = Array.isArray(body) ? body[0] : body
  if (typeof first === 'string') return first.slice(0, maxMessageLength)
  if (!isRecord(first)) return undefined
  for (const key of ['error', 'message', 'detail']) {
    const message = first[key] === undefined ? undefined : findMessage(first[key])
    if (message !== undefined) return message
  }
  return undefined
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function parseRetryAfter(headers: Headers): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (ms > 0) return ms
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = Number(value)
  if (seconds >= 0) return seconds * 1_000
  const date = Date.parse(value)
  const sentAt = Date.parse(headers.get('date') ?? '')
  return date > sentAt ? date - sentAt : undefined
}

/** An `error` part within a stream. The first one ends the attempt. */
export function toStreamError(error: unknown): TargetError {
  const providerMessage = error instanceof Error ? undefined : findMessage(error)
  if (error instanceof Error || providerMessage === undefined) return toTargetError(error)
  const code = isRecord(error) ? Number(error['code']) : Number.NaN
  return new TargetError('The provider ended the reply with an error.', {
    kind: 'http',
    status: code >= 400 && code < 600 ? code : undefined,
    providerMessage,
  })
}

const kinds: Readonly<Record<string, TargetErrorKind>> = {
  outbound_timeout: 'timeout',
  outbound_too_large: 'invalid_reply',
  outbound_type: 'invalid_reply',
  process_not_started: 'runtime_unavailable',
}

/** The server that a target calls. */
export interface Destination {
  readonly targetId: string
  readonly origin: string
}

const explanations: Readonly<Record<string, (destination: Destination) => string>> = {
  outbound_address: ({ targetId, origin }) =>
    `Target ${targetId} was not called, because ${origin} is not a public address. Add it to outbound.allow, or change inference.targets.${targetId}.endpoint. Metadata services are never called`,
  outbound_redirects: ({ targetId, origin }) =>
    `The server of target ${targetId}, ${origin}, replied with a redirect, which is not followed. Set inference.targets.${targetId}.endpoint to the address that it leads to`,
  outbound_unavailable: ({ targetId, origin }) =>
    `The connection of target ${targetId} to ${origin} failed. Check that its server runs, or change inference.targets.${targetId}.endpoint`,
}

/** Never copies the text of a library: it may contain the request and the reply. */
export function toTargetError(error: unknown, destination?: Destination): TargetError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TargetError) return cause
    if (cause instanceof Refusal)
      return new TargetError(cause.message, {
        kind: kinds[cause.code] ?? 'network',
        explanation: destination && explanations[cause.code]?.(destination),
      })
  }
  return new TargetError('The reply is invalid or incomplete.', { kind: 'invalid_reply' })
}
