import { assertAuthenticated, type Principal } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import { assertPermission, assertUnscoped, hasPermission } from '../auth/permission.ts'
import { type CountCall, toNetwork } from '../auth/rate-buckets.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Route } from './route.ts'

interface RateLimitNeeds {
  readonly countCall?: CountCall | undefined
}

interface Sender {
  readonly principal: Principal
  /** Called only for routes with a precondition. */
  readonly identify: () => Caller
  readonly surface?: string | undefined
}

interface RequestData {
  readonly query: unknown
  readonly body: unknown
}

/** Checks permissions, preconditions and rate limits before the request data is read. */
export async function authorize(
  route: Route,
  { principal, identify, surface }: Sender,
  { countCall }: RateLimitNeeds,
): Promise<void> {
  if (route.permission !== 'open') {
    assertAuthenticated(principal)
    if (route.permission !== 'authenticated') assertPermission(route.permission, principal)
  }
  if (route.requiresUnscoped) assertUnscoped(principal)
  if (route.permission === 'admin' && (await principal.isOwner?.()) === false) throw otherUser()
  if (route.requiresLocal && !principal.isLocal) throw notLocal()
  if (route.precondition) {
    const { method, path } = route
    route.precondition({ caller: identify(), method, path, surface })
  }
  if (typeof route.limit === 'string' && !route.limitsPeer)
    countCall?.(principal.subject, [route.limit])
}

/** Whether a caller may call an operation, as far as its credential decides it. */
export function isPermitted(route: Route, principal: Principal): boolean {
  const { permission, requiresLocal, requiresUnscoped } = route
  if (permission === 'open') return true
  const { project, agent } = principal.scope
  if (principal.refusal !== null || (requiresLocal && !principal.isLocal)) return false
  if (requiresUnscoped && (project ?? agent) !== undefined) return false
  return permission === 'authenticated' || hasPermission(permission, principal)
}

/** Applies the limit of routes that check credentials, which a caller could vary. */
export function limitPeer(route: Route, peer: string, { countCall }: RateLimitNeeds): void {
  if (route.limitsPeer && typeof route.limit === 'string')
    countCall?.(`peer ${toNetwork(peer)}`, [route.limit])
}

/** Applies rate limits that depend on validated request data. */
export function applyRateLimit(
  { limit }: Route,
  { subject, query, body }: RequestData & Pick<Principal, 'subject'>,
  { countCall }: RateLimitNeeds,
): void {
  if (typeof limit === 'function') countCall?.(subject, limit({ query, body }))
}

function otherUser(): Refusal {
  const message =
    'Without a token, this operation is limited to the user of the daemon and root. Run it as that user, use a token with auth.mode hybrid, or set auth.ownerOnly to false.'
  return new Refusal('forbidden', 'other_user', message)
}

function notLocal(): Refusal {
  const message = 'This operation is limited to the machine of the daemon. Call it there.'
  return new Refusal('forbidden', 'not_local', message)
}
