import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import type { InferenceRuntime } from './create-router.ts'
import { explain } from './explain.ts'
import { readHistory } from './history.ts'
import type { InferenceNeeds } from './needs.ts'
import type { InferenceHistory } from './ports.ts'
import { isAdmin, toRouteRequest, toRunRequest, withRouterReply } from './requests.ts'
import { execute } from './run/execute.ts'
import { openStream } from './run/stream.ts'
import * as wire from './schemas.ts'
import { readStatus } from './status.ts'
import { toEventStream } from './stream-reply.ts'
import { readUsage } from './usage.ts'

export interface RouteNeeds extends Pick<InferenceNeeds, 'db' | 'host'> {
  readonly router: InferenceRuntime
  readonly history: Pick<ExtensionPoint<InferenceHistory>, 'list'>
}

const explainLimit = 131_072
const runLimit = 524_288

export function inferenceRoutes({ router, history, db, host }: RouteNeeds): readonly Route[] {
  return [
    route({
      name: 'inference.status',
      method: 'GET',
      path: '/api/inference/status',
      permission: 'diagnostics',
      summary: 'Report the models, their state, budgets and invalid settings.',
      query: wire.statusQuery,
      reply: wire.statusReply,
      otherReplies: { 400: wire.statusError },
      handle: ({ query }) => readStatus(router, query.refresh === '1'),
    }),
    route({
      name: 'inference.history',
      method: 'GET',
      path: '/api/inference/history',
      permission: 'diagnostics',
      summary: 'List recorded decisions and model calls, newest first.',
      query: wire.historyQuery,
      reply: wire.historyReply,
      handle: ({ caller, query }) => readHistory(history, caller, query),
    }),
    route({
      name: 'inference.usage',
      method: 'GET',
      path: '/api/inference/usage',
      permission: 'diagnostics',
      summary: 'Sum up calls, tokens and cost by day, agent, target or operation.',
      query: wire.usageQuery,
      reply: wire.usageReply,
      handle: ({ caller, query }) => readUsage(db, caller, query),
    }),
    route({
      name: 'inference.explain',
      method: 'POST',
      path: '/api/inference/explain',
      permission: 'admin',
      limit: 'inferenceExplain',
      bodyLimit: explainLimit,
      summary: 'Decide which model would receive a request, without calling it.',
      body: wire.explainBody,
      reply: wire.decision,
      otherReplies: { 400: wire.routerError },
      handle: ({ body, caller }) =>
        withRouterReply(400, () =>
          explain(router, toRouteRequest(body, caller.agentId), body.refresh),
        ),
    }),
    route({
      name: 'inference.execute',
      method: 'POST',
      path: '/api/inference/execute',
      permission: 'admin',
      limit: 'inferenceExecute',
      bodyLimit: runLimit,
      summary: 'Send a prompt to a model and return its text.',
      body: wire.runBody,
      reply: wire.executeReply,
      otherReplies: { 502: wire.routerError },
      handle: (call) => withRouterReply(502, () => execute(router, toRunRequest(host, call))),
    }),
    route({
      name: 'inference.stream',
      method: 'POST',
      path: '/api/inference/stream',
      permission: 'admin',
      limit: 'inferenceExecute',
      bodyLimit: runLimit,
      summary: 'Send a prompt to a model and stream its text as server-sent events.',
      body: wire.runBody,
      otherReplies: { 502: wire.routerError },
      handle: (call) =>
        withRouterReply(502, async () =>
          toEventStream(await openStream(router, toRunRequest(host, call))),
        ),
    }),
    route({
      name: 'inference.cancel',
      method: 'DELETE',
      path: '/api/inference/requests/:id',
      permission: 'gateway',
      summary: 'Cancel a running stream of the same caller; an administrator cancels any.',
      params: wire.requestParams,
      reply: wire.cancelReply,
      handle: async ({ params, principal }) => {
        router.active.cancel(params.id, {
          subject: principal.subject,
          isAdmin: isAdmin({ principal }),
        })
        return { ok: true as const, requestId: params.id }
      },
    }),
  ]
}
