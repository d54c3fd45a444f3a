import { allProjectsRead, type Route, route } from '../../../kernel/http/route.ts'
import { readHygiene } from '../hygiene/read-hygiene.ts'
import type { KnowledgeContext } from '../needs.ts'
import { readOverlay } from './read-overlay.ts'
import * as wire from './schemas.ts'

/** Reads of the whole graph. */
export function overlayRoutes(needs: KnowledgeContext): readonly Route[] {
  return [
    route({
      ...allProjectsRead,
      name: 'knowledge.overlay',
      path: '/api/knowledge/constellation',
      summary: 'Read a bounded part of the graph for drawing.',
      query: wire.overlayQuery,
      reply: wire.overlayReply,
      handle: ({ caller, query }) =>
        readOverlay(needs, caller, {
          maxEntities: query.limit,
          maxAspects: query.max_aspects_per_entity,
          maxAttributes: query.max_attributes_per_aspect,
          maxLinks: query.dependency_limit,
        }),
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.hygiene',
      path: '/api/knowledge/hygiene',
      summary: 'Report suspicious entities, duplicates and unlinked mentions.',
      query: wire.hygieneQuery,
      reply: wire.hygieneReply,
      handle: ({ caller: { agentId }, query: { limit, memory_limit: memoryLimit } }) =>
        readHygiene(needs, { agentId, limit, memoryLimit }),
    }),
  ]
}
