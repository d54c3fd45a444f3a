import type { AuthMode } from '../../kernel/auth/authenticate.ts'
import type { Host } from '../../kernel/host/host.ts'

export interface AccessNeeds {
  readonly host: Host
  readonly mode: AuthMode
  /** Signs the tokens. */
  readonly secret: Buffer
  /** Seconds that a token lives when nobody says how long. */
  readonly defaultTokenTtlSeconds: number
}
