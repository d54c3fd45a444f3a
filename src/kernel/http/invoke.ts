import { type AssertSession, assertSessions } from '../auth/assert-sessions.ts'
import type { Caller } from '../auth/caller.ts'
import type { CountCall } from '../auth/rate-buckets.ts'
import { resolveCaller } from '../auth/resolve-caller.ts'
import { Refusal } from '../errors/refusal.ts'
import type { LoopMonitor } from '../host/loop-monitor.ts'
import { applyRateLimit, authorize } from './admission.ts'
import { noBytes } from './byte-body.ts'
import { toRefusal } from './errors.ts'
import type { OnReply } from './replies.ts'
import { type Call, type Invoke, Reply, type Route, type RouteInput } from './route.ts'
import { Stream } from './stream.ts'
import { check } from './validation.ts'

interface InvokeNeeds {
  readonly countCall?: CountCall | undefined
  readonly assertSession?: AssertSession | undefined
  readonly agentId?: string | undefined
  readonly loop: LoopMonitor
  /** Receives each reply. A refusal is reported by the operation that invokes. */
  readonly onReply?: OnReply | undefined
}

type Outer = Omit<Call<unknown, unknown, unknown>, 'params' | 'body' | 'bytes' | 'invoke'>

/** Runs an operation within another one, with its own permission, limits and validation. */
export function createInvoke(outer: Outer, needs: InvokeNeeds): Invoke {
  const { principal } = outer
  const invoke: Invoke = async (route, input) => {
    const identify = () => resolveInnerCaller(outer, input, needs.agentId)
    await authorize(route, { principal, identify, surface: input.surface }, needs)
    const caller = identify()
    route.bodyPrecondition?.({ caller, query: input.query, body: input.body })
    const headers = { ...outer.headers, ...input.headers }
    const named = { body: input.body, query: input.query, params: input.params, headers }
    await assertSessions(caller, named, needs.assertSession)
    const params = checked(route.params, input.params)
    const query = checked(route.query, input.query ?? {})
    const body = checked(route.body, input.body ?? {})
    applyRateLimit(route, { subject: principal.subject, query, body }, needs)
    const call: Call<unknown, unknown, unknown> = {
      params,
      query,
      body,
      bytes: noBytes,
      caller,
      principal,
      headers,
      surface: input.surface,
      get signal() {
        return outer.signal
      },
      invoke: throwNested,
    }
    let ms = 0
    const setMs = (measured: number) => {
      ms = measured
    }
    const result = await needs.loop.track(route.name, () => route.handle(call), setMs)
    const reply = toReply(route, result)
    needs.onReply?.({ route, status: reply.status, ms, caller, isInvoked: true })
    return reply
  }
  return (route, input) =>
    invoke(route, input).catch((error: unknown) => {
      throw toRefusal(error) ?? error
    })
}

/** The input may name an agent only if the connection names none or the same one. */
function resolveInnerCaller(
  outer: Outer,
  input: RouteInput,
  configured: string | undefined,
): Caller {
  const { principal, query } = outer
  const { requestId } = outer.caller
  const headers = { ...outer.headers, ...input.headers }
  const within = { ...Object(query), ...Object(input.query) }
  const parts = { body: input.body, query: within, headers, requestId }
  const caller = resolveCaller(principal, parts, configured)
  const connection = { body: undefined, query, headers, requestId }
  const { agentId } = resolveCaller(principal, connection, caller.agentId)
  if (agentId === caller.agentId) return caller
  throw new Refusal('forbidden', 'other_agent', `this connection belongs to agent '${agentId}'`)
}

function checked(schema: Route['body'], input: unknown): unknown {
  if (!schema) return undefined
  const { value, error } = check(schema, input)
  if (error) throw error
  return value
}

function toReply(route: Route, result: unknown): Reply<unknown> {
  if (result instanceof Stream) throw new Error(`${route.name} replies with a stream.`)
  const { status, body, headers } =
    result instanceof Reply ? result : new Reply<unknown>(200, result)
  return new Reply(status, route.reply && status < 300 ? route.reply.parse(body) : body, headers)
}

function throwNested(): never {
  throw new Error('A nested operation cannot invoke another one.')
}
