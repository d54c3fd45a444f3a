import type { AuthMode, Principal } from '../../kernel/auth/authenticate.ts'
import type { Permission, Role, Scope } from '../../kernel/auth/caller.ts'
import { listPermissions } from '../../kernel/auth/permission.ts'
import { type Claims, issueToken } from '../../kernel/auth/token.ts'
import type { AccessNeeds } from './needs.ts'

export interface TokenRequest {
  readonly role: Role
  readonly scope: Scope
  readonly sub: string | undefined
  readonly ttlSeconds: number | undefined
}

interface IssuedToken {
  readonly token: string
  /** ISO text. */
  readonly expiresAt: string
}

export function issueAccessToken(
  { host, secret, defaultTokenTtlSeconds }: AccessNeeds,
  { role, scope, sub = `token:${role}`, ttlSeconds = defaultTokenTtlSeconds }: TokenRequest,
): IssuedToken {
  const iat = Math.floor(host.now().getTime() / 1000)
  const exp = iat + ttlSeconds
  const token = issueToken({ sub, role, scope, iat, exp }, secret)
  return { token, expiresAt: new Date(exp * 1000).toISOString() }
}

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
