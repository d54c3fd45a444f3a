import { z } from 'zod'
import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { listHarnesses } from './list.ts'
import type { HarnessesNeeds } from './needs.ts'
import { createRegenerate, regeneratedReply } from './regenerate.ts'

export function harnessesRoutes(needs: HarnessesNeeds): readonly Route[] {
  const regenerate = createRegenerate(needs)
  return [
    route({
      name: 'harnesses.list',
      method: 'GET',
      path: '/api/harnesses',
      permission: 'recall',
      summary: 'List the supported harnesses and whether their settings exist.',
      reply: harnessesReply,
      handle: async () => ({ harnesses: await listHarnesses(needs) }),
    }),
    route({
      name: 'harnesses.regenerate',
      method: 'POST',
      path: '/api/harnesses/regenerate',
      permission: 'admin',
      limit: 'admin',
      summary: 'Run the workspace script that regenerates the harness settings.',
      reply: regeneratedReply,
      handle: async () => {
        const result = await regenerate()
        return new Reply(result.success ? 200 : 500, result)
      },
    }),
  ]
}

const harnessesReply = z.object({
  harnesses: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      path: z.string(),
      exists: z.boolean(),
      lastSeen: z.string().nullable(),
    }),
  ),
})
