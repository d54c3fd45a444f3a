import { assertAllProjects } from '../../kernel/auth/permission.ts'
import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { cancelPass } from './cancel-pass.ts'
import { applyPlanned, discardPlan } from './decide-plan.ts'
import type { DreamingNeeds } from './needs.ts'
import { describePass, readPasses, readTrace, toPassItem, toUndoneReply } from './read-pass.ts'
import * as reply from './replies.ts'
import * as wire from './schemas.ts'
import { readStatus } from './status.ts'
import { triggerPass } from './trigger.ts'
import { undoPass } from './undo-pass.ts'

const onInvalidBody = { error: 'Malformed JSON body' } as const
const pass = '/api/dream/passes/:passId'

/** Passes: what runs, what was planned, applied and undone. */
export function passRoutes(needs: DreamingNeeds): readonly Route[] {
  const reads = { method: 'GET', permission: 'admin', bodyPrecondition: assertAllProjects } as const
  const writes = {
    method: 'POST',
    permission: 'admin',
    onInvalidBody,
    bodyPrecondition: assertAllProjects,
  } as const
  const changes = { ...writes, precondition: needs.memory.assertWritable } as const
  return [
    route({
      ...reads,
      name: 'dream.status',
      path: '/api/dream/status',
      summary: 'Read the state of Dreaming: backlog, schedule, budgets, passes and attention.',
      query: wire.agentQuery,
      reply: reply.statusReply,
      handle: ({ caller: { agentId } }) => readStatus(needs, agentId),
    }),
    route({
      ...writes,
      name: 'dream.trigger',
      path: '/api/dream/trigger',
      summary: 'Start a pass, or plan one without writing (`dryRun`).',
      query: wire.triggerQuery,
      body: wire.triggerBody,
      reply: reply.triggerReply,
      handle: async ({ caller, query, body }) =>
        new Reply(202, await triggerPass(needs, caller, wire.toTriggerRequest(body, query))),
    }),
    route({
      ...reads,
      name: 'dream.passes',
      path: '/api/dream/passes',
      summary: 'List passes, the newest first.',
      query: wire.passesQuery,
      reply: reply.passesReply,
      handle: ({ caller: { agentId }, query: { limit, before, id_prefix: idPrefix } }) =>
        readPasses(needs, agentId, { limit, before, idPrefix }),
    }),
    route({
      ...reads,
      name: 'dream.pass',
      path: pass,
      summary: 'Read a pass with its operations, their evidence and the values before and after.',
      params: wire.byPass,
      query: wire.agentQuery,
      reply: reply.passReply,
      handle: ({ caller: { agentId }, params: { passId } }) => describePass(needs, agentId, passId),
    }),
    route({
      ...reads,
      name: 'dream.trace',
      path: `${pass}/tools`,
      summary: 'List the tool calls of a pass in their order.',
      params: wire.byPass,
      query: wire.agentQuery,
      reply: reply.traceReply,
      handle: ({ caller: { agentId }, params: { passId } }) => readTrace(needs, agentId, passId),
    }),
    route({
      ...changes,
      name: 'dream.apply-plan',
      path: `${pass}/apply`,
      summary: 'Apply planned operations of a pass, all or those of `only`.',
      params: wire.byPass,
      body: wire.decisionBody,
      reply: reply.appliedReply,
      handle: async ({ caller, params: { passId }, body: { only } }) => {
        const { pass, items } = await applyPlanned(needs, caller, { passId, only })
        return { pass: toPassItem(pass), items }
      },
    }),
    route({
      ...changes,
      name: 'dream.discard-plan',
      path: `${pass}/discard`,
      summary: 'Reject planned operations of a pass. The same words do not bring them back.',
      params: wire.byPass,
      body: wire.discardBody,
      reply: reply.discardedReply,
      handle: async ({ caller, params: { passId }, body: { only } }) => {
        const { pass, rejected } = await discardPlan(needs, caller, { passId, only })
        return { pass: toPassItem(pass), rejected }
      },
    }),
    route({
      ...changes,
      name: 'dream.undo',
      path: `${pass}/undo`,
      summary: 'Undo the applied operations of a pass, all or those of `only`.',
      params: wire.byPass,
      body: wire.undoBody,
      reply: reply.undoneReply,
      handle: async ({ caller, params: { passId }, body }) => {
        const request = wire.toUndoRequest(body)
        const result = await undoPass(needs, caller, { passId, ...request })
        return toUndoneReply(result, request)
      },
    }),
    route({
      ...writes,
      name: 'dream.cancel',
      path: `${pass}/cancel`,
      summary: 'Cancel a running pass. It writes nothing.',
      params: wire.byPass,
      body: wire.agentBody,
      reply: reply.cancelledReply,
      handle: async ({ caller, params: { passId } }) =>
        new Reply(202, await cancelPass(needs, caller, passId)),
    }),
  ]
}
