import { createAnalytics } from '../../src/capabilities/analytics/index.ts'
import type { Route } from '../../src/kernel/http/route.ts'

const calls = 1_000_000

/** The mean duration in milliseconds of counting one reply. */
export function timeReplyHook(): number {
  const { onReply } = createAnalytics({
    events: { on: () => {} },
    host: { now: () => new Date() },
    self: { startedAt: new Date() },
  } as unknown as Parameters<typeof createAnalytics>[0])
  const route = { name: 'memory.read', method: 'GET', path: '/api/memory/:id' } as unknown as Route
  const caller = { agentId: 'bench', name: 'bench', scope: {} } as never
  const reply = { route, status: 200, ms: 0.5, caller, isInvoked: false }
  const startedAt = performance.now()
  for (let call = 0; call < calls; call += 1) onReply(reply)
  return (performance.now() - startedAt) / calls
}
