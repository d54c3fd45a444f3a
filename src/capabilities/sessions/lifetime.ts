import type { SessionsNeeds } from './needs.ts'
import { tombstoneMs } from './session.ts'

/** The time limits at this moment, as ISO text. */
export function lifetimeOf({ host, config }: Pick<SessionsNeeds, 'host' | 'config'>) {
  const now = host.now().getTime()
  const { claimTtlMs } = config()
  const at = (ms: number) => new Date(ms).toISOString()
  return {
    now: at(now),
    expiresAt: at(now + claimTtlMs),
    /** A presence last seen at or before this time has expired. */
    seenAfter: at(now - claimTtlMs),
    forgottenBefore: at(now - tombstoneMs),
  }
}
