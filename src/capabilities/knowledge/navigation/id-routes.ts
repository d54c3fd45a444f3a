import type { Db } from '../../../kernel/db/database.ts'
import { notFound } from '../../../kernel/errors/refusal.ts'
import { allProjectsRead, type Route, route } from '../../../kernel/http/route.ts'
import type { KnowledgeNeeds } from '../needs.ts'
import { countGraph } from '../store/counts.ts'
import { findAspect, findEntity } from '../store/entities.ts'
import { listNamedLinks } from '../store/links.ts'
import { listEntities } from '../store/search-names.ts'
import { expandEntity } from './expand.ts'
import { readDetail } from './read-entities.ts'
import { readVersions } from './read-evidence.ts'
import { readAspects, readValues } from './read-path.ts'
import * as reply from './replies.ts'
import * as wire from './schemas.ts'

const root = '/api/knowledge/entities'
const maxPinned = 200

interface Target {
  readonly caller: { readonly agentId: string }
  readonly params: { readonly id: string }
}

async function findTarget(db: Db, { caller: { agentId }, params: { id } }: Target) {
  const entity = await findEntity(db, agentId, id)
  if (!entity) throw notFound('Entity not found')
  return entity
}

/** Reads of the graph by ids, and of all of it. */
export function idRoutes({ db }: KnowledgeNeeds): readonly Route[] {
  return [
    route({
      ...allProjectsRead,
      name: 'knowledge.pinned',
      path: `${root}/pinned`,
      summary: 'List the pinned entities of an agent.',
      query: wire.agentQuery,
      reply: reply.pinnedReply,
      handle: async ({ caller: { agentId } }) => {
        const filter = { canonicalPart: undefined, entityType: undefined, pinned: true }
        const page = { agentId, ...filter, limit: maxPinned, offset: 0 }
        const entities = await listEntities(db, page)
        return entities.map(({ id, name, pinnedAt }) => ({ id, name, pinnedAt }))
      },
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.entity-by-id',
      path: `${root}/:id`,
      summary: 'Read an entity by its id.',
      params: wire.byId,
      query: wire.agentQuery,
      reply: reply.entityReply,
      handle: async (call) => readDetail(db, await findTarget(db, call)),
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.aspects-by-id',
      path: `${root}/:id/aspects`,
      summary: 'List the aspects of an entity by its id.',
      params: wire.byId,
      query: wire.agentQuery,
      reply: reply.aspectItemsReply,
      handle: async (call) => readAspects(db, await findTarget(db, call)),
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.attributes-by-id',
      path: `${root}/:id/aspects/:aspectId/attributes`,
      summary: 'List the values of an aspect by its id.',
      params: wire.byAspect,
      query: wire.valuesQuery,
      reply: reply.attributeItemsReply,
      handle: async (call) => {
        const { id: entityId } = await findTarget(db, call)
        const by = { entityId, id: call.params.aspectId }
        const aspect = await findAspect(db, call.caller.agentId, by)
        if (!aspect) throw notFound('Entity or aspect not found')
        return readValues(db, aspect, call.query)
      },
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.dependencies',
      path: `${root}/:id/dependencies`,
      summary: 'List the links of an entity by its id.',
      params: wire.byId,
      query: wire.dependenciesQuery,
      reply: reply.dependenciesReply,
      handle: async (call) => {
        const { id: entityId, agentId } = await findTarget(db, call)
        return { items: await listNamedLinks(db, agentId, { entityId, ...call.query }) }
      },
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.stats',
      path: '/api/knowledge/stats',
      summary: 'Count the rows of the graph of an agent.',
      query: wire.agentQuery,
      reply: reply.statsReply,
      handle: ({ caller: { agentId } }) => countGraph(db, agentId),
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.expand',
      method: 'POST',
      path: '/api/knowledge/expand',
      summary: 'Render what is known of an entity as text.',
      body: wire.expandBody,
      reply: reply.expandReply,
      handle: ({ caller, body: { entity, aspect, maxTokens, max_tokens } }) =>
        expandEntity(db, caller, { entity, aspect, maxTokens: maxTokens ?? max_tokens }),
    }),
  ]
}

/** The history of claims. */
export function versionRoutes({ db }: KnowledgeNeeds): readonly Route[] {
  return [
    route({
      ...allProjectsRead,
      name: 'knowledge.claim-versions',
      path: '/api/ontology/claims/versions',
      summary: 'List all versions of a claim slot.',
      query: wire.versionsQuery,
      reply: reply.versionsReply,
      handle: ({ caller, query }) => readVersions(db, caller, query),
    }),
  ]
}
