import { Refusal } from '../../../kernel/errors/refusal.ts'
import { untilAborted } from '../../../kernel/host/with-timeout.ts'

const maxRunning = 4
const maxWaiting = 64

export interface BackgroundQueue {
  /** Refuses `queue_full`. Rejects with the reason of the signal while it waits. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

/** Keeps a burst of background work away from the slots of interactive calls. */
export function createBackgroundQueue(): BackgroundQueue {
  const waiting = new Set<() => void>()
  const state = { running: 0 }
  const leave = () => {
    const [next] = waiting
    if (!next) {
      state.running -= 1
      return
    }
    waiting.delete(next)
    next()
  }
  const enter = async (signal: AbortSignal) => {
    signal.throwIfAborted()
    if (state.running < maxRunning) {
      state.running += 1
      return
    }
    if (waiting.size >= maxWaiting) throw queueFull()
    const { promise: turn, resolve } = Promise.withResolvers<true>()
    const start = () => resolve(true)
    waiting.add(start)
    if (await untilAborted(signal, turn)) return
    // The turn may come at the same time as the abort.
    if (!waiting.delete(start)) leave()
    throw signal.reason
  }
  return {
    run: async (signal, work) => {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function queueFull(): Refusal {
  const message = 'Too many model calls wait. Retry later.'
  return new Refusal('too_many', 'queue_full', message, { maxWaiting })
}
