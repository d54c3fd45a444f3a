import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { listHarnesses } from './list.ts'
import type { HarnessesNeeds } from './needs.ts'
import { createRegenerate } from './regenerate.ts'
import * as wire from './schemas.ts'

export function harnessesRoutes(needs: HarnessesNeeds): readonly Route[] {
  const regenerate = createRegenerate(needs)
  return [
    route({
      name: 'harnesses.list',
      method: 'GET',
      path: '/api/harnesses',
      permission: 'recall',
      summary: 'List the supported harnesses and whether their settings exist.',
      reply: wire.harnessesReply,
      handle: async () => ({ harnesses: await listHarnesses(needs) }),
    }),
    route({
      name: 'harnesses.regenerate',
      method: 'POST',
      path: '/api/harnesses/regenerate',
      permission: 'admin',
      limit: 'admin',
      summary: 'Run the workspace script that regenerates the harness settings.',
      reply: wire.regeneratedReply,
      handle: async () => {
        const result = await regenerate()
        return new Reply(result.success ? 200 : 500, result)
      },
    }),
  ]
}
