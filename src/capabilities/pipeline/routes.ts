import { type Route, route } from '../../kernel/http/route.ts'
import type { PipelineNeeds } from './needs.ts'
import * as wire from './schemas.ts'
import { nudge, readPipeline } from './status.ts'
import { createTransitions } from './transition.ts'

const maxBodyBytes = 65_536
const otherReplies = { 500: wire.failure }

export function pipelineRoutes(needs: PipelineNeeds): readonly Route[] {
  const transitions = createTransitions(needs)
  return [
    route({
      name: 'pipeline.status',
      method: 'GET',
      path: '/api/pipeline/status',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Report the mode, the workers and the queues of background work.',
      reply: wire.statusReply,
      handle: () => readPipeline(needs),
    }),
    route({
      name: 'pipeline.pause',
      method: 'POST',
      path: '/api/pipeline/pause',
      permission: 'admin',
      limit: 'admin',
      bodyLimit: maxBodyBytes,
      summary: 'Pause background work with models; the state holds over restarts.',
      body: wire.emptyBody,
      reply: wire.pauseReply,
      otherReplies,
      handle: ({ caller }) => transitions.pause(caller.name),
    }),
    route({
      name: 'pipeline.resume',
      method: 'POST',
      path: '/api/pipeline/resume',
      permission: 'admin',
      limit: 'admin',
      bodyLimit: maxBodyBytes,
      summary: 'Resume background work with models.',
      body: wire.emptyBody,
      reply: wire.resumeReply,
      otherReplies,
      handle: ({ caller }) => transitions.resume(caller.name),
    }),
    route({
      name: 'pipeline.nudge',
      method: 'POST',
      path: '/api/pipeline/nudge',
      permission: 'admin',
      limit: 'admin',
      bodyLimit: maxBodyBytes,
      summary: 'Wake all background workers, so that they look for work now.',
      body: wire.emptyBody,
      reply: wire.nudgeReply,
      handle: async () => nudge(needs),
    }),
  ]
}
