import { Refusal } from '../../../kernel/errors/refusal.ts'

export type SlotKind = 'execute' | 'nativeStream' | 'gatewayStream'
export type ConcurrencyCounts = Readonly<Record<SlotKind | 'total', number>>

export interface Concurrency {
  /** Refuses `concurrency_limit` at once. Returns the release, which is idempotent. */
  acquire(kind: SlotKind): () => void
  active(): ConcurrencyCounts
  readonly limits: ConcurrencyCounts
}

export function createConcurrency(limits: ConcurrencyCounts): Concurrency {
  const active = { execute: 0, nativeStream: 0, gatewayStream: 0, total: 0 }
  return {
    limits,
    active: () => ({ ...active }),
    acquire: (kind) => {
      if (active[kind] >= limits[kind] || active.total >= limits.total)
        throw limitRefusal(kind, { ...active }, limits)
      active[kind] += 1
      active.total += 1
      let isAcquired = true
      return () => {
        if (!isAcquired) return
        isAcquired = false
        active[kind] -= 1
        active.total -= 1
      }
    },
  }
}

function limitRefusal(
  kind: SlotKind,
  active: ConcurrencyCounts,
  limits: ConcurrencyCounts,
): Refusal {
  const message = 'Too many model calls run at the same time. Retry when one has ended.'
  return new Refusal('too_many', 'concurrency_limit', message, { kind, active, limits })
}
