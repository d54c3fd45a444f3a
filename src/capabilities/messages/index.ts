import { toDomainCheck } from '../../kernel/capability/domain.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { createMessageFeed } from './follow-messages.ts'
import { messagesMigrations } from './migrations.ts'
import type { MessagesNeeds } from './needs.ts'
import { messageNotices } from './notices.ts'
import { messagesRoutes } from './routes.ts'
import { maxMessages } from './send.ts'
import { countMessages, deleteAgentRows, deleteExpired, expireLeases } from './store.ts'
import { messagesTools } from './tools.ts'

export const messagesModule = { name: 'messages', migrations: messagesMigrations } as const

/** Health warns before the store refuses messages. */
const nearlyFull = 0.9 * maxMessages
const hourMs = 3_600_000

export function createMessages(needs: MessagesNeeds) {
  const { db, host } = needs
  const now = () => host.now().toISOString()
  const feed = createMessageFeed(needs)
  const health: HealthCheck = {
    name: 'messages',
    check: async () => {
      const stored = await countMessages(db, now())
      const reason = stored >= nearlyFull && `${stored} of ${maxMessages} messages are stored`
      return toHealth([reason], { stored, limit: maxMessages })
    },
  }
  return {
    routes: messagesRoutes({ ...needs, feed }),
    notices: messageNotices(needs),
    tools: messagesTools,
    schedules: [
      { name: 'messages.sweep', everyMs: hourMs, run: () => deleteExpired(db, now()) },
      { name: 'messages.presence', everyMs: 60_000, run: feed.tick },
      { name: 'messages.leases', everyMs: 60_000, run: () => expireLeases(db, now()) },
    ],
    health,
    diagnostics: [toDomainCheck(health, 'reverie message inbox')],
    agentRemoval: { archive: deleteAgentRows, purge: deleteAgentRows },
  }
}
