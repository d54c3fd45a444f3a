import type { AuthMode, Principal } from '../../kernel/auth/authenticate.ts'
import type { Permission } from '../../kernel/auth/caller.ts'
import { listPermissions } from '../../kernel/auth/permission.ts'
import type { Claims } from '../../kernel/auth/token.ts'

export interface CredentialStatus {
  readonly authenticated: boolean
  readonly claims: Claims | null
  /** Trusted without a token, as a local connection. */
  readonly trustedLocal: boolean
  readonly effectiveAccess: Principal['role'] | 'none'
  /** Why the credential is invalid; null otherwise. */
  readonly error: string | null
  readonly permissions: readonly Permission[]
  readonly mode: AuthMode
  readonly providers: readonly string[]
}

export function whoAmI(mode: AuthMode, principal: Principal): CredentialStatus {
  const { claims, refusal, role } = principal
  return {
    authenticated: claims !== null,
    claims,
    trustedLocal: claims === null && refusal === null,
    effectiveAccess: refusal ? 'none' : role,
    error: refusal?.message ?? null,
    permissions: refusal ? [] : listPermissions(principal),
    mode,
    providers: [],
  }
}
