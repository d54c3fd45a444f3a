import { assertAllProjects } from '../../../kernel/auth/permission.ts'
import { allProjectsRead, Reply, type Route, route } from '../../../kernel/http/route.ts'
import type { OntologyNeeds } from '../needs.ts'
import * as reply from '../replies.ts'
import * as wire from '../schemas.ts'
import { applyOne, proposeBatch, proposeOne, undoOne } from './calls.ts'
import { listConflicts } from './conflicts.ts'
import { listVisible, readProposalEvidence, readVisible } from './read-proposals.ts'
import { readPlan, repairDuplicates } from './repair.ts'
import { rejectProposal } from './review.ts'

const root = '/api/ontology/proposals'

/** Changes of the graph that wait for review. */
export function proposalRoutes(needs: OntologyNeeds): readonly Route[] {
  const writes = {
    method: 'POST',
    permission: 'modify',
    onInvalidBody: 'empty',
    precondition: needs.memory.assertWritable,
    bodyPrecondition: assertAllProjects,
  } as const
  return [
    route({
      ...allProjectsRead,
      name: 'ontology.proposals',
      path: root,
      summary: 'List proposals and applied operations, the last changed first.',
      query: wire.proposalsQuery,
      reply: reply.listedProposals,
      handle: ({ caller: { agentId }, query: { id_prefix: idPrefix, ...query } }) =>
        listVisible(needs, agentId, { ...query, idPrefix }),
    }),
    route({
      ...allProjectsRead,
      name: 'ontology.conflicts',
      path: `${root}/conflicts`,
      summary: 'List pending claim values of one slot that differ.',
      query: wire.conflictsQuery,
      reply: reply.conflictsReply,
      handle: ({ caller: { agentId }, query }) => listConflicts(needs, agentId, query.limit),
    }),
    route({
      ...allProjectsRead,
      name: 'ontology.proposal',
      path: `${root}/:id`,
      summary: 'Read a proposal.',
      params: wire.byProposal,
      query: wire.agentQuery,
      reply: reply.proposalReply,
      handle: ({ caller: { agentId }, params: { id } }) => readVisible(needs, agentId, id),
    }),
    route({
      ...allProjectsRead,
      name: 'ontology.proposal-evidence',
      path: `${root}/:id/evidence`,
      summary: 'List the sources of a proposal with excerpts.',
      params: wire.byProposal,
      query: wire.agentQuery,
      reply: reply.evidenceReply,
      handle: ({ caller: { agentId }, params: { id } }) => readProposalEvidence(needs, agentId, id),
    }),
    route({
      ...writes,
      name: 'ontology.propose',
      path: root,
      summary: 'Propose a change of the graph. Nothing is applied.',
      body: wire.proposalBody,
      reply: reply.proposalReply,
      handle: async ({ caller, body }) => new Reply(201, await proposeOne(needs, caller, body)),
    }),
    route({
      ...writes,
      name: 'ontology.propose-many',
      path: `${root}/batch`,
      summary: 'Propose 1 to 500 changes of the graph, all or none.',
      body: wire.proposalsBody,
      reply: reply.createdProposals,
      handle: async ({ caller, body }) => new Reply(201, await proposeBatch(needs, caller, body)),
    }),
    route({
      ...writes,
      name: 'ontology.apply',
      path: `${root}/:id/apply`,
      summary: 'Apply a pending proposal.',
      params: wire.byProposal,
      body: wire.applyBody,
      reply: reply.appliedReply,
      handle: ({ caller, params, body }) => applyOne(needs, caller, { ...params, ...body }),
    }),
    route({
      ...writes,
      name: 'ontology.reject',
      path: `${root}/:id/reject`,
      summary: 'Reject a pending proposal.',
      params: wire.byProposal,
      body: wire.reasonBody,
      reply: reply.proposalReply,
      handle: ({ caller, params: { id }, body: { actor, reason } }) =>
        rejectProposal(needs, {
          agentId: caller.agentId,
          id,
          actor: wire.actorOf(caller, actor),
          reason,
        }),
    }),
    route({
      ...writes,
      name: 'ontology.undo-proposal',
      path: `${root}/:id/undo`,
      summary: 'Undo an applied operation.',
      params: wire.byProposal,
      body: wire.undoBody,
      reply: reply.undoReply,
      handle: ({ caller, params: { id }, body }) =>
        undoOne(needs, caller, { ...body, proposalId: id }),
    }),
    route({
      ...writes,
      name: 'ontology.duplicates',
      path: `${root}/repair/duplicates`,
      summary: 'List entities with almost equal names, and propose to merge them.',
      body: wire.repairBody,
      reply: reply.repairReply,
      handle: ({ caller, body: { limit, write_proposals: writes = false, created_by } }) =>
        repairDuplicates(needs, {
          agentId: caller.agentId,
          actor: wire.actorOf(caller, created_by),
          limit,
          writes,
        }),
    }),
    route({
      ...writes,
      name: 'ontology.merge-plan',
      path: `${root}/repair/merge-plan`,
      summary: 'Show what a merge of entities would move. Nothing is written.',
      body: wire.planBody,
      reply: reply.planReply,
      handle: ({ caller, body: { agentId: _, agent_id: __, ...payload } }) =>
        readPlan(needs, { agentId: caller.agentId, actor: wire.actorOf(caller), payload }),
    }),
  ]
}
