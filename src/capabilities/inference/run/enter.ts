import type { Operation } from '../config/entries.ts'
import type { SlotKind } from './concurrency.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import type { Router, RunRequest } from './router.ts'

/** Background work that a paused pipeline refuses. */
const gatedOperations: readonly Operation[] = ['memory_extraction', 'session_synthesis', 'repair']

export function isGated(operation: Operation): boolean {
  return gatedOperations.includes(operation)
}

export interface Entered {
  readonly deadline: Deadline
  /** Releases the slot, the gate and the timer. Idempotent. */
  leave(): void
}

/** Refuses `concurrency_limit` and `pipeline_paused`. */
export function enter(
  { host, gate, settings, concurrency, stopping }: Router,
  { route, signal, timeoutMs }: Pick<RunRequest, 'route' | 'signal' | 'timeoutMs'>,
  kind: SlotKind,
): Entered {
  const release = concurrency.acquire(kind)
  try {
    const { operation } = route
    const entry = isGated(operation) ? gate.enter(operation) : undefined
    const callers = [signal, stopping, ...(entry ? [entry.signal] : [])]
    const { limits } = settings.current()
    const deadline = startDeadline(host, timeoutMs || limits.timeoutMs, callers)
    const leave = () => {
      deadline.end()
      entry?.leave()
      release()
    }
    return { deadline, leave }
  } catch (error) {
    release()
    throw error
  }
}
