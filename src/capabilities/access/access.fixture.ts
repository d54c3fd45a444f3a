import type { Principal } from '../../kernel/auth/authenticate.ts'
import { createBrowserRules } from '../../kernel/auth/browser.ts'
import type { Claims } from '../../kernel/auth/token.ts'
import type { Db } from '../../kernel/db/database.ts'
import { createLog } from '../../kernel/log/log.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { createKeyring } from './keys/keyring.ts'
import { accessMigrations } from './migrations.ts'

export const onEachEngine = testOnEachEngine(accessMigrations)

/** The needs of the operations on a host whose time the test advances. */
export function accessNeeds(db: Db, host = manualClockHost()) {
  const log = createLog('silent')
  const secret = Buffer.alloc(32, 7)
  const needs = {
    db,
    host,
    log,
    mode: 'team' as const,
    secret,
    rules: createBrowserRules({ secret }),
    operations: { list: () => [] },
    defaultTokenTtlSeconds: 604_800,
    sessionTokenTtlSeconds: 86_400,
    password: { hash: undefined, password: undefined },
  }
  return { ...needs, keyring: createKeyring(needs) }
}

/** An administrator, or a caller with these claims. */
export function makerOf(claims: Partial<Claims> = {}) {
  const full: Claims = { sub: 'ada', role: 'admin', scope: {}, iat: 0, exp: 4e9, ...claims }
  const { role, permissions } = full
  const principal: Principal = {
    role,
    permissions,
    scope: {},
    claims: full,
    refusal: null,
    subject: full.sub,
  }
  return { caller: { name: full.sub }, principal }
}
