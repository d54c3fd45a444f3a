import { assertAllProjects } from '../../../kernel/auth/permission.ts'
import { allProjectsRead, Reply, type Route, route } from '../../../kernel/http/route.ts'
import type { OntologyNeeds } from '../needs.ts'
import { applyManyNow, applyNow, undoOne } from '../proposals/calls.ts'
import * as reply from '../replies.ts'
import * as wire from '../schemas.ts'
import { listVisibleContradictions } from './contradictions.ts'
import { changeEntity, listEntityAliases } from './entity-calls.ts'

const entity = '/api/ontology/entities/:id'
const pins = [
  [
    'knowledge.pin-entity',
    'POST',
    '/api/knowledge/entities/:id/pin',
    'pin_entity',
    'Pin an entity.',
  ],
  [
    'knowledge.unpin-entity',
    'DELETE',
    '/api/knowledge/entities/:id/pin',
    'unpin_entity',
    'Unpin an entity.',
  ],
  [
    'knowledge.pin-claim',
    'POST',
    '/api/knowledge/attributes/:id/pin',
    'pin_claim',
    'Pin a claim value.',
  ],
  [
    'knowledge.unpin-claim',
    'DELETE',
    '/api/knowledge/attributes/:id/pin',
    'unpin_claim',
    'Unpin a claim value.',
  ],
] as const

/** Changes of the graph that are applied at once. */
export function operationRoutes(needs: OntologyNeeds): readonly Route[] {
  const writes = {
    permission: 'modify',
    onInvalidBody: 'empty',
    precondition: needs.memory.assertWritable,
    bodyPrecondition: assertAllProjects,
  } as const
  const posts = { ...writes, method: 'POST' } as const
  return [
    route({
      ...posts,
      name: 'ontology.apply-operation',
      path: '/api/ontology/operations/apply',
      summary: 'Apply one operation, or propose it.',
      body: wire.operationBody,
      reply: reply.appliedReply,
      handle: ({ caller, body }) => applyNow(needs, caller, body),
    }),
    route({
      ...posts,
      name: 'ontology.apply-operations',
      path: '/api/ontology/operations/batch',
      summary: 'Apply 1 to 100 operations, all or none.',
      body: wire.operationsBody,
      reply: reply.batchReply,
      handle: ({ caller, body }) => applyManyNow(needs, caller, body),
    }),
    route({
      ...posts,
      name: 'ontology.undo-batch',
      path: '/api/ontology/operations/undo',
      summary: 'Undo the operations of a batch.',
      body: wire.undoBatchBody,
      reply: reply.undoReply,
      handle: ({ caller, body: { batch_id: batchId, ...body } }) =>
        undoOne(needs, caller, { ...body, batchId }),
    }),
    route({
      ...posts,
      name: 'ontology.split',
      path: `${entity}/split`,
      summary: 'Move aspects, claims, links or aliases of an entity to a new entity.',
      params: wire.byId,
      body: wire.splitBody,
      reply: reply.splitReply,
      handle: async ({ caller, params, body }) =>
        new Reply(
          201,
          await changeEntity(needs, caller, { ...params, operation: 'split_entity', body }),
        ),
    }),
    route({
      ...posts,
      name: 'ontology.merge',
      path: `${entity}/merge`,
      summary: 'Merge other entities into an entity. Their names become aliases.',
      params: wire.byId,
      body: wire.mergeBody,
      reply: reply.resultReply,
      handle: ({ caller, params, body }) =>
        changeEntity(needs, caller, { ...params, operation: 'merge_entities', body }),
    }),
    route({
      ...allProjectsRead,
      name: 'ontology.aliases',
      path: `${entity}/aliases`,
      summary: 'List the aliases of an entity.',
      params: wire.byId,
      query: wire.aliasesQuery,
      reply: reply.aliasItems,
      handle: ({ caller: { agentId }, params: { id }, query: { status = 'active' } }) =>
        listEntityAliases(needs, { agentId, id, status }),
    }),
    route({
      ...posts,
      name: 'ontology.add-alias',
      path: `${entity}/aliases`,
      summary: 'Add an alias to an entity.',
      params: wire.byId,
      body: wire.aliasBody,
      reply: reply.aliasItem,
      handle: async ({ caller, params, body }) =>
        new Reply(
          201,
          await changeEntity(needs, caller, { ...params, operation: 'create_entity_alias', body }),
        ),
    }),
    route({
      ...writes,
      method: 'DELETE',
      name: 'ontology.archive-alias',
      path: `${entity}/aliases/:aliasId`,
      summary: 'Archive an alias of an entity.',
      params: wire.byAlias,
      query: wire.agentQuery,
      reply: reply.aliasItem,
      handle: ({ caller, params: { id, aliasId: alias_id } }) =>
        changeEntity(needs, caller, { id, operation: 'archive_entity_alias', body: { alias_id } }),
    }),
    route({
      ...allProjectsRead,
      name: 'ontology.contradictions',
      path: '/api/ontology/contradictions',
      summary: 'List claim values of one slot that seem to contradict each other.',
      query: wire.contradictionsQuery,
      reply: reply.contradictionsReply,
      handle: async ({ caller: { agentId }, query: { status = 'open', limit } }) => {
        const items = await listVisibleContradictions(needs, needs.db, {
          agentId,
          status,
          limit,
        })
        return { items, count: items.length }
      },
    }),
    ...pins.map(([name, method, path, operation, summary]) =>
      route({
        ...writes,
        name,
        method,
        path,
        summary,
        params: wire.byId,
        query: wire.agentQuery,
        reply: reply.resultReply,
        handle: ({ caller, params }) =>
          changeEntity(needs, caller, { ...params, operation, body: {} }),
      }),
    ),
  ]
}
