import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import { withTimeout } from '../host/with-timeout.ts'

export interface Gate {
  isOpen(): boolean
  /** Refuses `pipeline_paused` while the gate is closed, and `queue_full` above the maximum. */
  enter(operation: string, signal?: AbortSignal): GateEntry
  /** Aborts all entries and waits at most five seconds until they have left. */
  close(): Promise<GateClosing>
  open(): void
  /** The operations inside, the oldest first. */
  active(): readonly ActiveOperation[]
  /** Called each time the gate opens. */
  onOpen(listener: () => void): void
}

interface ActiveOperation {
  readonly operation: string
  readonly ageMs: number
}

interface GateEntry {
  /** Aborts with the caller's signal, or with `pipeline_paused` when the gate closes. */
  readonly signal: AbortSignal
  /** Idempotent. */
  leave(): void
}

interface GateClosing {
  readonly activeAtStart: number
  readonly aborted: number
  /** Entries that have not left. */
  readonly remaining: number
  readonly timedOut: boolean
}

interface Entry {
  readonly control: AbortController
  readonly left: Promise<void>
  readonly operation: string
  readonly enteredAt: number
}

const maxEntries = 1_000
const drainTimeoutMs = 5_000

export function createGate(host: Pick<Host, 'now' | 'sleep'>): Gate {
  const entries = new Set<Entry>()
  const listeners: (() => void)[] = []
  let isOpen = true
  return {
    isOpen: () => isOpen,
    enter: (operation, signal) => {
      if (!isOpen) throw pausedRefusal(operation)
      if (entries.size >= maxEntries) throw fullRefusal(operation)
      const control = new AbortController()
      const { promise: left, resolve } = Promise.withResolvers<void>()
      const entry = { control, left, operation, enteredAt: host.now().getTime() }
      entries.add(entry)
      const signals = signal ? [signal, control.signal] : [control.signal]
      return {
        signal: AbortSignal.any(signals),
        leave: () => {
          entries.delete(entry)
          resolve()
        },
      }
    },
    close: async () => {
      isOpen = false
      const active = [...entries]
      for (const { control } of active) control.abort(pausedRefusal())
      const drained = Promise.all(active.map(({ left }) => left))
      const isDrained = (await withTimeout(host, drainTimeoutMs, drained)) !== undefined
      const remaining = active.filter((entry) => entries.has(entry)).length
      const activeAtStart = active.length
      return { activeAtStart, aborted: activeAtStart, remaining, timedOut: !isDrained }
    },
    open: () => {
      isOpen = true
      for (const listener of listeners) listener()
    },
    active: () => {
      const now = host.now().getTime()
      return [...entries].map(({ operation, enteredAt }) => ({
        operation,
        ageMs: Math.max(0, now - enteredAt),
      }))
    },
    onOpen: (listener) => {
      listeners.push(listener)
    },
  }
}

/** True for the refusal of a closed gate: the work may run again once the gate opens. */
export function isPaused(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'pipeline_paused'
}

function pausedRefusal(operation?: string): Refusal {
  const message = 'Background work is paused. Resume the pipeline to run it.'
  const details = operation === undefined ? {} : { operation }
  return new Refusal('unavailable', 'pipeline_paused', message, details)
}

function fullRefusal(operation: string): Refusal {
  const message = 'Too many background operations run. Retry later.'
  return new Refusal('too_many', 'queue_full', message, { operation, maxEntries })
}
