import type { SessionsNeeds } from './needs.ts'
import { tombstoneMs } from './session.ts'

/** The times that matter now, as ISO text. */
export function lifetimeOf({ host, config }: Pick<SessionsNeeds, 'host' | 'config'>) {
  const now = host.now().getTime()
  const { claimTtlMs } = config()
  const at = (ms: number) => new Date(ms).toISOString()
  return {
    now: at(now),
    expiresAt: at(now + claimTtlMs),
    /** Who was last seen then or before is gone. */
    seenAfter: at(now - claimTtlMs),
    forgottenBefore: at(now - tombstoneMs),
  }
}
