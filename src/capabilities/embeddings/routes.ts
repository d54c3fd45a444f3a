import { type Route, route } from '../../kernel/http/route.ts'
import { handleExport } from './export.ts'
import { readHealth } from './health.ts'
import { handleInstall } from './local-models/handle-install.ts'
import type { createLocalModels } from './local-models/local-models.ts'
import { type createProjections, handleProjection } from './projection.ts'
import { readGaps } from './repairs.ts'
import type { Runtime } from './runtime.ts'
import * as wire from './schemas.ts'

import type { Tracker } from './tracker.ts'

export interface RouteNeeds extends Runtime {
  readonly tracker: Tracker
  readonly status: () => Promise<wire.ProviderStatus>
  readonly localModels: Pick<ReturnType<typeof createLocalModels>, 'install' | 'list'>
  readonly projections: Pick<ReturnType<typeof createProjections>, 'read'>
}

export function embeddingsRoutes(needs: RouteNeeds): readonly Route[] {
  const { tracker, status, localModels } = needs
  return [
    route({
      name: 'embeddings.export',
      method: 'GET',
      path: '/api/embeddings',
      permission: 'recall',
      summary:
        'List readable memories that have a vector, newest first; `vectors=true` adds the vectors.',
      query: wire.exportQuery,
      reply: wire.exportReply,
      handle: ({ caller, query }) => handleExport(needs, caller, query),
    }),
    route({
      name: 'embeddings.status',
      method: 'GET',
      path: '/api/embeddings/status',
      permission: 'recall',
      summary: 'Report the provider status and the embedding progress.',
      query: wire.agentQuery,
      reply: wire.statusReply,
      handle: async () => ({ ...(await status()), tracker: await tracker.progress() }),
    }),
    route({
      name: 'embeddings.health',
      method: 'GET',
      path: '/api/embeddings/health',
      permission: 'recall',
      summary: 'Check the stored vectors and report problems with fixes.',
      query: wire.agentQuery,
      reply: wire.healthReply,
      handle: async ({ caller }) => readHealth(needs, caller, await status()),
    }),
    route({
      name: 'embeddings.projection',
      method: 'GET',
      path: '/api/embeddings/projection',
      permission: 'recall',
      summary: 'Project the newest 5,000 memories to 2D or 3D; returns 202 until it is computed.',
      query: wire.projectionQuery,
      reply: wire.projectionReply,
      otherReplies: { 500: wire.projectionReply },
      handle: ({ caller, query }) => handleProjection(needs, caller, query),
    }),
    route({
      name: 'embeddings.gaps',
      method: 'GET',
      path: '/api/repair/embedding-gaps',
      permission: 'admin',
      summary: 'Count the memories of all agents without a vector.',
      reply: wire.gapsReply,
      handle: () => readGaps(needs),
    }),
    route({
      name: 'embeddings.models',
      method: 'GET',
      path: '/api/embeddings/models',
      permission: 'recall',
      summary: 'List the local models of the workspace, and the newest installation.',
      query: wire.agentQuery,
      reply: wire.modelsReply,
      handle: async () => {
        const { provider, model = null } = needs.needs.config()
        return { provider, model, ...(await localModels.list()) }
      },
    }),
    route({
      name: 'embeddings.install-model',
      method: 'POST',
      path: '/api/embeddings/models',
      permission: 'admin',
      summary:
        'Install a local model from a folder or a URL; replies 202 and works in the background.',
      body: wire.installBody,
      reply: wire.installReply,
      handle: (call) => handleInstall(localModels, call),
    }),
    route({
      name: 'embeddings.backfill',
      method: 'POST',
      path: '/api/embeddings/backfill',
      permission: 'admin',
      summary: 'Start a backfill of missing vectors and retry rejected texts.',
      reply: wire.backfillReply,
      handle: async () => {
        tracker.startOver()
        return { status: 'started' as const, tracker: await tracker.progress() }
      },
    }),
  ]
}
