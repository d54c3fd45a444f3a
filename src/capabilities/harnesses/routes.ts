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
      summary: 'The programs in which agents work, and whether their settings are there.',
      reply: wire.harnessesReply,
      handle: async () => ({ harnesses: await listHarnesses(needs) }),
    }),
    route({
      name: 'harnesses.regenerate',
      method: 'POST',
      path: '/api/harnesses/regenerate',
      permission: 'admin',
      limit: 'admin',
      summary: "Runs the workspace's own script that writes their settings.",
      reply: wire.regeneratedReply,
      handle: async () => {
        const done = await regenerate()
        return new Reply(done.success ? 200 : 500, done)
      },
    }),
  ]
}
