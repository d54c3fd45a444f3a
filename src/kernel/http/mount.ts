import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AssertSession, assertSessions } from '../auth/assert-sessions.ts'
import type { Authenticate, Principal } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import type { CountCall } from '../auth/rate-buckets.ts'
import { resolveCaller } from '../auth/resolve-caller.ts'
import type { LoopMonitor } from '../host/loop-monitor.ts'
import { applyRateLimit, authorize, limitPeer } from './admission.ts'
import { acceptBytes, drainBody, noBytes, toByteBody } from './byte-body.ts'
import { logFault } from './errors.ts'
import { createInvoke } from './invoke.ts'
import { toSchema } from './openapi.ts'
import { nameWildcard, toRouterPath } from './paths.ts'
import { readProject } from './project-header.ts'
import type { OnReply } from './replies.ts'
import { type Call, type Invoke, Reply, type Route } from './route.ts'
import { Stream, type StreamTimes, sendStream } from './stream.ts'
import { type Subscriptions, toSubscriber } from './subscriptions.ts'

export interface Access {
  readonly authenticate: Authenticate
  /** Absent without rate limits. */
  readonly countCall?: CountCall | undefined
  /** Absent without stored sessions. */
  readonly assertSession?: AssertSession | undefined
  /** The default agent. */
  readonly agentId?: string | undefined
}

export interface MountNeeds extends Access {
  readonly loop: LoopMonitor
  /** Aborts when the service stops, which ends the streams. */
  readonly stopping: AbortSignal
  readonly streamTimes: StreamTimes
  readonly subscriptions: Subscriptions
  /** Receives the reply of each operation that another one invokes. */
  readonly onReply?: OnReply | undefined
}

export function mount(app: FastifyInstance, route: Route, needs: MountNeeds): void {
  if (route.accepts === 'bytes')
    app.register((own, _options, done) => {
      acceptBytes(own)
      mountPaths(own, route, needs)
      done()
    })
  else mountPaths(app, route, needs)
}

function mountPaths(app: FastifyInstance, route: Route, needs: MountNeeds): void {
  const { method, path, aliases = [], bodyLimit } = route
  for (const [index, url] of [path, ...aliases].entries())
    app.route({
      method,
      url: toRouterPath(url),
      schema: toSchema(route, index),
      config: { route },
      ...(bodyLimit !== undefined && { bodyLimit }),
      // Before the body is read, so that callers without permission cannot send one.
      onRequest: (request) => {
        nameWildcard(request, url)
        return admit(request, route, needs)
      },
      // Before validation, which removes unknown fields.
      preValidation: async (request) => {
        identify(request, route, needs)
        const caller = request.getDecorator<Caller>('caller')
        route.bodyPrecondition?.({ caller, query: request.query, body: request.body })
        if (route.permission !== 'open') await assertSessions(caller, request, needs.assertSession)
      },
      preHandler: async (request) => {
        const { subject } = request.getDecorator<Principal>('principal')
        applyRateLimit(route, { subject, query: request.query, body: request.body }, needs)
      },
      handler: async (request, reply) => {
        const call = toCall(request, reply.raw, needs)
        if (route.isSubscription)
          reply.raw.once(
            'close',
            needs.subscriptions.open(toSubscriber(call.principal, call.caller)),
          )
        const answer = await needs.loop.track(route.name, () => handle(route, call, reply))
        if (answer instanceof Stream) return stream(reply, answer, { ...needs, route })
        if (!(answer instanceof Reply)) return answer
        return reply.code(answer.status).headers(answer.headers).send(answer.body)
      },
    })
}

async function handle(route: Route, call: Call<unknown, unknown, unknown>, reply: FastifyReply) {
  try {
    return await route.handle(call)
  } finally {
    if (route.accepts === 'bytes') await drainBody(reply.request.raw, reply.raw)
  }
}

async function admit(request: FastifyRequest, route: Route, needs: MountNeeds): Promise<void> {
  const { authorization } = request.headers
  const { socket: connection } = request.raw
  const peer = connection.remoteAddress ?? ''
  const { query, params, headers, id: requestId } = request
  limitPeer(route, peer, needs)
  const project = () => readProject(headers)
  const principal = await needs.authenticate({ authorization, peer, connection, project, headers })
  const parts = { body: undefined, query, params, headers, requestId }
  const identify = () => resolveCaller(principal, parts, needs.agentId)
  await authorize(route, { principal, identify, surface: readSurface(headers) }, needs)
  request.setDecorator('principal', principal)
}

/** The command line names itself, so that plugins can close their commands. */
function readSurface({ 'x-svc-surface': surface }: IncomingHttpHeaders): string | undefined {
  return surface === 'cli' ? surface : undefined
}

function identify(request: FastifyRequest, route: Route, { agentId }: MountNeeds): void {
  if (route.body) request.body ??= {}
  const { body, query, params, headers, id: requestId } = request
  const principal = request.getDecorator<Principal>('principal')
  const caller = resolveCaller(principal, { body, query, params, headers, requestId }, agentId)
  request.setDecorator('caller', caller)
}

function toCall(
  request: FastifyRequest,
  response: ServerResponse,
  needs: MountNeeds,
): Call<unknown, unknown, unknown> {
  const { params, query, body, headers } = request
  const { accepts, bodyLimit } = request.routeOptions.config.route ?? {}
  const bytes = accepts === 'bytes' ? toByteBody(request.raw, bodyLimit) : noBytes
  const caller = request.getDecorator<Caller>('caller')
  const principal = request.getDecorator<Principal>('principal')
  let signal: AbortSignal | undefined
  const outer = {
    query,
    headers,
    caller,
    principal,
    get signal() {
      signal ??= watchClient(response)
      return signal
    },
  }
  const invoke: Invoke = (route, input) => createInvoke(outer, needs)(route, input)
  return Object.assign(outer, { params, body, bytes, invoke })
}

/** Aborts when the client leaves before the whole reply. */
function watchClient(response: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  if (response.destroyed) leaving.abort()
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  return leaving.signal
}

/** Aborts when the credential of a subscription is no longer valid. */
function watchCredential(
  request: FastifyRequest,
  response: ServerResponse,
  { route, ...needs }: StreamNeeds,
): readonly AbortSignal[] {
  if (!route.isSubscription) return []
  const refused = new AbortController()
  const check = () => admit(request, route, needs).catch((error: unknown) => refused.abort(error))
  const timer = setInterval(check, needs.streamTimes.recheckMs)
  response.once('close', () => clearInterval(timer))
  return [refused.signal]
}

interface StreamNeeds extends MountNeeds {
  readonly route: Route
}

/** Sends a stream without the HTTP library. */
async function stream(reply: FastifyReply, answer: Stream, needs: StreamNeeds): Promise<void> {
  const { raw, request } = reply.hijack()
  const { contentType, headers } = answer
  raw.writeHead(200, { ...reply.getHeaders(), 'content-type': contentType, ...headers } as Record<
    string,
    string
  >)
  const { revoked } = request.getDecorator<Principal>('principal')
  const signal = AbortSignal.any([
    watchClient(raw),
    needs.stopping,
    ...(revoked ? [revoked] : []),
    ...watchCredential(request, raw, needs),
  ])
  const onFault = (error: unknown) => logFault(request, error)
  await sendStream(answer, raw, { signal, ...needs.streamTimes, onFault })
}
