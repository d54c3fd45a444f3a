import { type Principal, refuseUnproven } from '../auth/authenticate.ts'
import { assertUnscoped, refuseWithout } from '../auth/permission.ts'
import type { CountCall } from '../auth/rate-buckets.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Route } from './route.ts'

interface Counting {
  readonly countCall?: CountCall | undefined
}

interface WhatWasSent {
  readonly query: unknown
  readonly body: unknown
}

/** Before anything that was sent is looked at. */
export function admitTo(route: Route, principal: Principal, { countCall }: Counting): void {
  if (route.permission !== 'open') {
    refuseUnproven(principal)
    if (route.permission !== 'authenticated') refuseWithout(route.permission, principal)
  }
  if (route.requiresUnscoped) assertUnscoped(principal)
  if (route.requiresLocal && !principal.isLocal) throw notLocal()
  route.gate?.()
  if (typeof route.limit === 'string') countCall?.(principal.subject, [route.limit])
}

/** Once what was sent has been checked. */
export function countBySent(
  { limit }: Route,
  { subject, query, body }: WhatWasSent & Pick<Principal, 'subject'>,
  { countCall }: Counting,
): void {
  if (typeof limit === 'function') countCall?.(subject, limit({ query, body }))
}

function notLocal(): Refusal {
  const message = 'This operation takes calls from the machine of the daemon only.'
  return new Refusal('forbidden', 'not_local', message)
}
