import { z } from 'zod'
import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { connectBody, connectReply, createConnect } from './connect.ts'
import { type Heartbeats, heartbeatBody, heartbeatReply } from './heartbeat.ts'
import { healthReply, listHarnesses, readHarnessHealth } from './list.ts'
import type { HarnessesNeeds } from './needs.ts'
import { createRegenerate, regeneratedReply } from './regenerate.ts'

type RouteNeeds = HarnessesNeeds & { readonly heartbeats: Heartbeats }

export function harnessesRoutes(needs: RouteNeeds): readonly Route[] {
  const regenerate = createRegenerate(needs)
  const connect = createConnect(needs)
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
    route({
      name: 'harnesses.health',
      method: 'GET',
      path: '/api/harnesses/:id/health',
      permission: 'recall',
      summary: 'Report whether a harness is detected, connected and active.',
      params: z.object({ id: z.string() }),
      reply: healthReply,
      handle: ({ params }) => readHarnessHealth(needs, params.id),
    }),
    route({
      name: 'harnesses.connect',
      method: 'POST',
      path: '/api/harnesses/:id/connect',
      permission: 'admin',
      requiresLocal: true,
      limit: 'admin',
      summary: 'Install the hooks and the memory tools of a harness on this machine.',
      params: z.object({ id: z.string() }),
      body: connectBody,
      reply: connectReply,
      handle: ({ params: { id }, body: { dryRun } }) => connect({ id, command: 'install', dryRun }),
    }),
    route({
      name: 'harnesses.disconnect',
      method: 'POST',
      path: '/api/harnesses/:id/disconnect',
      permission: 'admin',
      requiresLocal: true,
      limit: 'admin',
      summary: 'Remove the entries of a connection from the files of a harness.',
      params: z.object({ id: z.string() }),
      body: connectBody,
      reply: connectReply,
      handle: ({ params: { id }, body: { dryRun } }) =>
        connect({ id, command: 'uninstall', dryRun }),
    }),
    route({
      name: 'harnesses.heartbeat',
      method: 'POST',
      path: '/api/diagnostics/openclaw/heartbeat',
      permission: 'diagnostics',
      requiresUnscoped: true,
      bodyLimit: 65_536,
      summary: 'Save the state that the openclaw plugin reports.',
      body: heartbeatBody,
      reply: heartbeatReply,
      handle: ({ body }) => needs.heartbeats.save(body),
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
