import type { LiveKeys } from '../../../kernel/auth/api-key.ts'
import type { Principal } from '../../../kernel/auth/authenticate.ts'
import { type Claims, issueToken, unauthenticated } from '../../../kernel/auth/token.ts'
import type { AccessNeeds } from '../needs.ts'
import { bearerRequired, sessionNotNeeded } from '../refusals.ts'

export type SessionNeeds = Pick<AccessNeeds, 'host' | 'secret' | 'sessionTokenTtlSeconds'>

/**
 * The claims of the presented bearer. A caller that is trusted without one has nothing to exchange,
 * and a cookie is not exchanged.
 */
export function readClaims({
  browserSession,
  claims,
}: Pick<Principal, 'browserSession' | 'claims'>): Claims {
  if (claims === null) throw sessionNotNeeded()
  if (browserSession !== undefined) throw bearerRequired()
  return claims
}

/** A token with the same limits that ends no later than the credential. */
export function issueSession(
  { host, secret, sessionTokenTtlSeconds }: SessionNeeds,
  claims: Claims,
) {
  const now = host.now()
  const { exp, iat: _, ...identity } = claims
  const left = exp === undefined ? sessionTokenTtlSeconds : exp - Math.floor(now.getTime() / 1000)
  const ttlSeconds = Math.min(sessionTokenTtlSeconds, left)
  const { token, expiresAt } = issueToken({ ...identity, ttlSeconds }, { secret, now })
  return { token, expiresAt, role: claims.role, sub: claims.sub }
}

/** Refuses claims that ended or whose key was revoked after the code was created. */
export async function assertStillValid(
  { host }: Pick<AccessNeeds, 'host'>,
  keys: Pick<LiveKeys, 'findById'>,
  { exp, key }: Claims,
): Promise<void> {
  const isExpired = exp !== undefined && host.now().getTime() >= exp * 1000
  const isRevoked = key !== undefined && (await keys.findById(key)) === undefined
  if (isExpired || isRevoked) throw unauthenticated('the credential of the code is no longer valid')
}
