import { setTimeout as pause } from 'node:timers/promises'
import { ClientError, Unreachable } from './client-error.ts'

export interface Address {
  readonly url: string
  readonly token?: string | undefined
  /** The agent in whose name this asks. */
  readonly agentId?: string | undefined
}

type Scalar = string | number | boolean | undefined

interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, Scalar>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

export interface Transport {
  readonly url: string
  /** The JSON that was answered; throws `ClientError` for a status from 400, else `Unreachable`. */
  ask<Reply>(path: string, request?: Request): Promise<Reply>
  /** The reply before its body is read. */
  open(path: string, request?: Request): Promise<Response>
}

const ordinaryTimeoutMs = 30_000
const longestWaitSeconds = 5
const attempts = 4

export function createTransport(address: Address): Transport {
  const open = async (path: string, request: Request = {}) => {
    for (let attempt = 1; ; attempt++) {
      const reply = await send(address, path, request)
      const waitSeconds = attempt < attempts ? secondsToWait(reply) : undefined
      if (waitSeconds === undefined) return reply
      await reply.body?.cancel()
      await pause(waitSeconds * 1000)
    }
  }
  return {
    url: address.url,
    open,
    ask: async <Reply>(path: string, request?: Request) => {
      const reply = await open(path, request)
      const body = await readJson(reply, address.url)
      if (!reply.ok) throw toClientError(reply.status, body)
      return body as Reply
    },
  }
}

/** The bytes of a reply that is not JSON, once its status is good. */
export async function streamOf(reply: Response): Promise<ReadableStream<Uint8Array>> {
  if (!reply.ok) throw toClientError(reply.status, await readJson(reply))
  return reply.body ?? new ReadableStream()
}

async function send(address: Address, path: string, request: Request): Promise<Response> {
  const { method = 'GET', query = {}, body, timeoutMs = ordinaryTimeoutMs, signal } = request
  const target = new URL(path, address.url)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, String(value))
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    return await fetch(target, {
      method,
      headers: { ...toHeaders(address, body), ...request.headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Whoever wants to hear an endless stream gives a signal, and no deadline holds for it.
      signal: signal ?? deadline,
      // A credential goes to the address that was named and nowhere else.
      redirect: 'error',
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw toUnreachable(address.url, error, deadline.aborted ? timeoutMs : undefined)
  }
}

function toHeaders({ token, agentId }: Address, body: unknown): Record<string, string> {
  return {
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(agentId && { 'x-svc-agent-id': agentId }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
}

function toUnreachable(url: string, cause: unknown, waitedMs: number | undefined): Unreachable {
  if (waitedMs === undefined)
    return new Unreachable(url, 'unreachable', `no service answers at ${url}`, cause)
  const message = `${url} did not answer within ${waitedMs / 1000} s`
  return new Unreachable(url, 'too_slow', message, cause)
}

function secondsToWait(reply: Response): number | undefined {
  const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN)
  const soon = seconds >= 0 && seconds <= longestWaitSeconds
  return reply.status === 503 && soon ? seconds : undefined
}

async function readJson(reply: Response, url = new URL(reply.url).origin): Promise<unknown> {
  try {
    return await reply.json()
  } catch (error) {
    const message = `what answers at ${url} is not Reverie: status ${reply.status}, no JSON`
    throw new Unreachable(url, 'not_reverie', message, error)
  }
}

function toClientError(status: number, body: unknown): ClientError {
  const { error, code, ...details } = Object(body) as Record<string, unknown>
  const message = typeof error === 'string' ? error : `status ${status}`
  const own = typeof code === 'string' ? code : details['status']
  return new ClientError(status, typeof own === 'string' ? own : `http_${status}`, message, details)
}
