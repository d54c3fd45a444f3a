import { afterCommit } from '../../kernel/db/transaction.ts'
import { accessHealth } from './health.ts'
import { createKeyring } from './keys/keyring.ts'
import { keyRoutes } from './keys/routes.ts'
import { accessMigrations } from './migrations.ts'
import type { AccessNeeds } from './needs.ts'
import { accessRoutes } from './routes.ts'
import { createBrowserSessions } from './sign-in/browser-sessions.ts'
import { createPasswordLogin } from './sign-in/password.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { sessionRoutes } from './sign-in/session-routes.ts'
import { deleteAgentKeys, deleteEndedKeys, revokeAgentKeys } from './store/api-keys.ts'

export const accessModule = { name: 'access', migrations: accessMigrations } as const

const hourMs = 3_600_000
const dayMs = 86_400_000
/** Revoked and expired keys are listed for this long. */
const endedRetentionMs = 90 * dayMs

export function createAccess(options: AccessNeeds) {
  const { db, host } = options
  const keyring = createKeyring(options)
  const login = createPasswordLogin(options.password)
  const browserSessions = createBrowserSessions({ ...options, keyring })
  const needs = { ...options, keyring, login, browserSessions }
  const now = () => host.now().toISOString()
  return {
    routes: [
      ...accessRoutes(needs),
      ...keyRoutes(needs),
      ...signInRoutes(needs),
      ...sessionRoutes(needs),
    ],
    health: accessHealth(needs),
    /** Looked up for each request with a key or a cookie. */
    signIn: { keys: keyring, sessions: browserSessions, rules: options.rules },
    schedules: [
      { name: 'access.sessions', everyMs: hourMs, run: browserSessions.sweep },
      {
        name: 'access.sweep',
        everyMs: dayMs,
        run: () =>
          deleteEndedKeys(db, new Date(host.now().getTime() - endedRetentionMs).toISOString()),
      },
    ],
    agentRemoval: {
      archive: async (own: typeof db, agentId: string) => {
        await revokeAgentKeys(own, agentId, now())
        afterCommit(own, keyring.invalidate)
      },
      purge: async (own: typeof db, agentId: string) => {
        await deleteAgentKeys(own, agentId)
        afterCommit(own, keyring.invalidate)
      },
    },
    stop: async () => {
      await keyring.stop()
      await browserSessions.stop()
    },
  }
}
