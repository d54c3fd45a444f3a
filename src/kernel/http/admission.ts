import { type Principal, refuseUnproven } from '../auth/authenticate.ts'
import { refuseWithout } from '../auth/permission.ts'
import type { CountCall } from '../auth/rate-buckets.ts'
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
