import type { AuthMode } from '../../kernel/auth/authenticate.ts'
import type { BrowserRules } from '../../kernel/auth/browser.ts'
import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { PasswordSettings } from './sign-in/password.ts'

export interface AccessNeeds {
  readonly db: Db
  readonly host: Host
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly mode: AuthMode
  /** Signs the tokens. */
  readonly secret: Buffer
  /** Default lifetime of a token. */
  readonly defaultTokenTtlSeconds: number
  /** Lifetime of the token of a login or of a session. */
  readonly sessionTokenTtlSeconds: number
  readonly password: PasswordSettings
  /** Which cookies count. */
  readonly rules: BrowserRules
  /** The operations of this build. */
  readonly operations: Pick<ExtensionPoint<Route>, 'list'>
}
