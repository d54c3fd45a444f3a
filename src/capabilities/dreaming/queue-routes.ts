import { assertAllProjects } from '../../kernel/auth/permission.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { applyOverHttp } from './apply-operations.ts'
import type { DreamingNeeds } from './needs.ts'
import { readQuality } from './quality.ts'
import * as reply from './replies.ts'
import { requeueSource } from './requeue.ts'
import * as wire from './schemas.ts'

const onInvalidBody = { error: 'Malformed JSON body' } as const

/** Operations of callers, sources that are left out, and the quality of the graph. */
export function queueRoutes(needs: DreamingNeeds): readonly Route[] {
  const writes = {
    method: 'POST',
    onInvalidBody,
    bodyPrecondition: assertAllProjects,
    precondition: needs.memory.assertWritable,
  } as const
  return [
    route({
      ...writes,
      permission: 'admin',
      name: 'dream.requeue',
      path: '/api/dream/exclusions/requeue',
      summary: 'Let passes read a source again that they leave out.',
      body: wire.requeueBody,
      reply: reply.requeueReply,
      handle: ({ caller, body: { sourceKind, sourceId } }) =>
        requeueSource(needs, caller, { sourceKind, sourceId }),
    }),
    route({
      ...writes,
      permission: 'modify',
      name: 'dream.operations',
      path: '/api/dream/operations',
      summary: 'Apply 1 to 100 operations that cite exact quotes, all or none.',
      body: wire.operationsBody,
      reply: reply.operationsReply,
      handle: ({ caller, body }) => applyOverHttp(needs, caller, body),
    }),
    route({
      method: 'GET',
      permission: 'admin',
      bodyPrecondition: assertAllProjects,
      name: 'dream.quality',
      path: '/api/dream/quality',
      summary: 'Measure how well the graph is cited, named and structured.',
      query: wire.agentQuery,
      reply: reply.qualityReply,
      handle: ({ caller: { agentId } }) => readQuality(needs, agentId),
    }),
  ]
}
