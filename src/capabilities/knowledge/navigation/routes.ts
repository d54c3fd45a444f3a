import { allProjectsRead, type Route, route } from '../../../kernel/http/route.ts'
import type { KnowledgeNeeds } from '../needs.ts'
import { describeEntity, readDetail, readEntities } from './read-entities.ts'
import { readAspects, readAttributes, readClaims, readGroups } from './read-path.ts'
import * as reply from './replies.ts'
import { resolveEntity } from './resolve.ts'
import * as wire from './schemas.ts'
import { readTree } from './tree.ts'

const root = '/api/knowledge/navigation'

/** Reads of the graph by names. */
export function navigationRoutes({ db }: KnowledgeNeeds): readonly Route[] {
  return [
    route({
      ...allProjectsRead,
      name: 'knowledge.entities',
      path: `${root}/entities`,
      aliases: ['/api/knowledge/entities'],
      summary: 'List the entities of an agent with their counts.',
      query: wire.entitiesQuery,
      reply: reply.entitiesReply,
      handle: ({ caller: { agentId }, query: { q: text, type: entityType, limit, offset } }) =>
        readEntities(db, { agentId, text, entityType, limit, offset }),
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.entity',
      path: `${root}/entity`,
      summary: 'Read an entity by its name or alias.',
      query: wire.entityQuery,
      reply: reply.entityReply,
      handle: async ({ caller, query: { name } }) =>
        readDetail(db, await resolveEntity(db, caller, name)),
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.tree',
      path: `${root}/tree`,
      summary: 'Read the outline of an entity: aspects, groups and claims.',
      query: wire.treeQuery,
      reply: reply.treeReply,
      handle: ({ caller, query }) => {
        const { entity, depth, max_aspects, max_groups, max_claims } = query
        const limits = { maxAspects: max_aspects, maxGroups: max_groups, maxClaims: max_claims }
        return readTree(db, caller, { entity, limits: { ...limits, depth } })
      },
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.aspects',
      path: `${root}/aspects`,
      summary: 'List the aspects of an entity.',
      query: wire.aspectsQuery,
      reply: reply.aspectsReply,
      handle: async ({ caller, query: { entity: name } }) => {
        const entity = await resolveEntity(db, caller, name)
        return { entity: await describeEntity(db, entity), ...(await readAspects(db, entity)) }
      },
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.groups',
      path: `${root}/groups`,
      summary: 'List the groups of an aspect.',
      query: wire.groupsQuery,
      reply: reply.groupsReply,
      handle: ({ caller, query }) => readGroups(db, caller, query),
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.claims',
      path: `${root}/claims`,
      summary: 'List the claim slots of a group.',
      query: wire.claimsQuery,
      reply: reply.claimsReply,
      handle: ({ caller, query }) => readClaims(db, caller, query),
    }),
    route({
      ...allProjectsRead,
      name: 'knowledge.attributes',
      path: `${root}/attributes`,
      summary: 'List the values of a claim slot.',
      query: wire.attributesQuery,
      reply: reply.attributesReply,
      handle: ({ caller, query }) => readAttributes(db, caller, query),
    }),
  ]
}
