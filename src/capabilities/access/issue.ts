import type { Role, Scope } from '../../kernel/auth/caller.ts'
import { issueToken } from '../../kernel/auth/token.ts'
import type { AccessNeeds } from './needs.ts'

export interface TokenRequest {
  readonly role: Role
  readonly scope: Scope
  readonly sub: string | undefined
  readonly ttlSeconds: number | undefined
}

export interface IssuedToken {
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
