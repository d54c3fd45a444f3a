import { assertAllProjects } from '../../../kernel/auth/permission.ts'
import { Reply, type Route, route } from '../../../kernel/http/route.ts'
import type { OntologyNeeds } from '../needs.ts'
import { actorOf, agentQuery, byId, reasonBody } from '../schemas.ts'
import { listVisibleAssertions, readAssertion } from './read-assertions.ts'
import * as wire from './schemas.ts'
import {
  archiveAssertion,
  createAssertion,
  linkClaim,
  supersedeAssertion,
} from './write-assertions.ts'

const root = '/api/ontology/assertions'
const reads = { method: 'GET', permission: 'recall', bodyPrecondition: assertAllProjects } as const

/** Statements of speakers about entities, with their sources. */
export function assertionRoutes(needs: OntologyNeeds): readonly Route[] {
  const writes = {
    method: 'POST',
    permission: 'modify',
    onInvalidBody: 'empty',
    precondition: needs.memory.assertWritable,
    bodyPrecondition: assertAllProjects,
    reply: wire.assertionReply,
  } as const
  return [
    route({
      ...reads,
      name: 'ontology.assertions',
      path: root,
      summary: 'List assertions about entities, the last asserted first.',
      query: wire.assertionsQuery,
      reply: wire.assertionsReply,
      handle: ({ caller: { agentId }, query }) => listVisibleAssertions(needs, agentId, query),
    }),
    route({
      ...reads,
      name: 'ontology.assertion',
      path: `${root}/:id`,
      summary: 'Read an assertion.',
      params: byId,
      query: agentQuery,
      reply: wire.assertionReply,
      handle: ({ caller: { agentId }, params }) =>
        readAssertion(needs, needs.db, { agentId, ...params }),
    }),
    route({
      ...writes,
      name: 'ontology.assert',
      path: root,
      summary: 'Store what somebody says about an entity, with its source.',
      body: wire.assertionBody,
      handle: async ({ caller, body }) =>
        new Reply(201, await createAssertion(needs, caller, body)),
    }),
    route({
      ...writes,
      name: 'ontology.link-assertion',
      path: `${root}/:id/link-claim`,
      summary: 'Link an assertion to an active claim value of its entity.',
      params: byId,
      body: wire.linkBody,
      handle: ({ caller: { agentId }, params, body: { attribute_id: attributeId } }) =>
        linkClaim(needs, { agentId, ...params, attributeId }),
    }),
    route({
      ...writes,
      name: 'ontology.archive-assertion',
      path: `${root}/:id/archive`,
      summary: 'Archive an assertion. Its evidence stays.',
      params: byId,
      body: reasonBody,
      handle: ({ caller, params, body: { actor, reason } }) =>
        archiveAssertion(needs, {
          agentId: caller.agentId,
          ...params,
          actor: actorOf(caller, actor).name,
          reason,
        }),
    }),
    route({
      ...writes,
      name: 'ontology.supersede-assertion',
      path: `${root}/:id/supersede`,
      summary: 'Replace an assertion by a new one about the same entity.',
      params: byId,
      body: wire.supersedeBody,
      handle: ({ caller, params, body }) =>
        supersedeAssertion(needs, caller, { ...body, ...params }),
    }),
  ]
}
