import { afterCommit } from '../../kernel/db/transaction.ts'
import { accessHealth } from './health.ts'
import { createKeyring } from './keys/keyring.ts'
import { keyRoutes } from './keys/routes.ts'
import { accessMigrations } from './migrations.ts'
import type { AccessNeeds } from './needs.ts'
import { accessRoutes } from './routes.ts'
import { createPasswordLogin } from './sign-in/password.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { deleteAgentKeys, deleteEndedKeys, revokeAgentKeys } from './store/api-keys.ts'

export const accessModule = { name: 'access', migrations: accessMigrations } as const

const dayMs = 86_400_000
/** Revoked and expired keys are listed for this long. */
const endedRetentionMs = 90 * dayMs

export function createAccess(options: AccessNeeds) {
  const { db, host } = options
  const keyring = createKeyring(options)
  const login = createPasswordLogin(options.password)
  const needs = { ...options, keyring, login }
  const now = () => host.now().toISOString()
  return {
    routes: [...accessRoutes(needs), ...keyRoutes(needs), ...signInRoutes(needs)],
    health: accessHealth(needs),
    /** Looked up for each request with a key. */
    keys: keyring,
    schedules: [
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
    stop: keyring.stop,
  }
}
