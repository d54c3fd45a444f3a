import type { AuthMode } from '../../kernel/auth/authenticate.ts'
import type { Host } from '../../kernel/host/host.ts'

export interface AccessNeeds {
  readonly host: Host
  readonly mode: AuthMode
  /** Signs the tokens. */
  readonly secret: Buffer
  /** Default lifetime of a token. */
  readonly defaultTokenTtlSeconds: number
}
