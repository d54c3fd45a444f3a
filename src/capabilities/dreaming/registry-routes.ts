import { assertAllProjects } from '../../kernel/auth/permission.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import type { DreamingNeeds } from './needs.ts'
import { invokeCapability } from './registry/invoke.ts'
import { describeCapabilities } from './registry/registry.ts'
import * as reply from './replies.ts'
import * as wire from './schemas.ts'

/** The capabilities that the model of a pass has, for other callers. */
export function registryRoutes(needs: DreamingNeeds): readonly Route[] {
  return [
    route({
      method: 'GET',
      permission: 'modify',
      bodyPrecondition: assertAllProjects,
      name: 'dream.tools',
      path: '/api/dream/tools',
      summary: 'List the capabilities of Dreaming with their JSON Schemas.',
      query: wire.agentQuery,
      reply: reply.toolsReply,
      handle: async () => ({ items: describeCapabilities() }),
    }),
    route({
      method: 'POST',
      permission: 'modify',
      onInvalidBody: { error: 'Malformed JSON body' },
      bodyPrecondition: assertAllProjects,
      name: 'dream.invoke',
      path: '/api/dream/tools/:capability',
      summary: 'Run a capability of Dreaming.',
      params: wire.byCapability,
      body: wire.invokeBody,
      reply: reply.invokeReply,
      handle: ({ caller, params: { capability: id }, body: { input, passId, actor } }) =>
        invokeCapability(needs, caller, { id, input, passId, actor }),
    }),
  ]
}
