import { type Route, route } from '../../kernel/http/route.ts'
import { answerExport } from './answer-export.ts'
import { answerProjection } from './answer-projection.ts'
import type { createProjections } from './projection.ts'
import { readHealth } from './read-health.ts'
import type { Runtime } from './runtime.ts'
import * as wire from './schemas.ts'
import type { ProviderStatus } from './status.ts'
import type { Tracker } from './tracker.ts'

export interface RouteNeeds extends Runtime {
  readonly tracker: Tracker
  readonly status: () => Promise<ProviderStatus>
  readonly projections: Pick<ReturnType<typeof createProjections>, 'read'>
}

export function embeddingsRoutes(needs: RouteNeeds): readonly Route[] {
  const { tracker, status } = needs
  return [
    route({
      name: 'embeddings.export',
      method: 'GET',
      path: '/api/embeddings',
      permission: 'recall',
      summary:
        'What the agent may read and has a vector, newest first; with the vectors when asked.',
      query: wire.exportQuery,
      reply: wire.exportReply,
      handle: ({ caller, query }) => answerExport(needs, caller, query),
    }),
    route({
      name: 'embeddings.status',
      method: 'GET',
      path: '/api/embeddings/status',
      permission: 'recall',
      summary: 'Whether the provider answers, and how far the vectors are.',
      query: wire.agentQuery,
      reply: wire.statusReply,
      handle: async () => wire.toStatusReply(await status(), await tracker.progress()),
    }),
    route({
      name: 'embeddings.health',
      method: 'GET',
      path: '/api/embeddings/health',
      permission: 'recall',
      summary: 'What is wrong with the vectors, check by check.',
      query: wire.agentQuery,
      reply: wire.healthReply,
      handle: async ({ caller }) =>
        wire.toHealthReply(await readHealth(needs, caller, await status())),
    }),
    route({
      name: 'embeddings.projection',
      method: 'GET',
      path: '/api/embeddings/projection',
      permission: 'recall',
      summary:
        'The newest 5,000 laid out by meaning in two or three dimensions; 202 until it is computed.',
      query: wire.projectionQuery,
      reply: wire.projectionReply,
      otherReplies: { 500: wire.projectionReply },
      handle: ({ caller, query }) => answerProjection(needs, caller, query),
    }),
    route({
      name: 'embeddings.backfill',
      method: 'POST',
      path: '/api/embeddings/backfill',
      permission: 'admin',
      summary: 'Looks for vectors that are missing, and tries again those that were refused.',
      reply: wire.backfillReply,
      handle: async () => {
        tracker.startOver()
        return { status: 'started' as const, tracker: await tracker.progress() }
      },
    }),
  ]
}
