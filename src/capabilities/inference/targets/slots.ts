import { untilAborted } from '../../../kernel/host/with-timeout.ts'

/** Limits concurrent work. A caller waits for a free slot until its signal aborts. */
export function createSlots(maxConcurrency: number) {
  let free = maxConcurrency
  const waiting: (() => void)[] = []
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const releaseOnce = () => {
    let isReleased = false
    return () => {
      if (!isReleased) release()
      isReleased = true
    }
  }
  return {
    /** Returns the release function; undefined if the signal aborts first. */
    acquire: async (signal: AbortSignal): Promise<(() => void) | undefined> => {
      if (signal.aborted) return undefined
      if (free > 0) {
        free -= 1
        return releaseOnce()
      }
      const { promise, resolve } = Promise.withResolvers<true>()
      const enter = () => resolve(true)
      waiting.push(enter)
      if (await untilAborted(signal, promise)) return releaseOnce()
      const index = waiting.indexOf(enter)
      // The slot was given in the same moment.
      if (index < 0) release()
      else waiting.splice(index, 1)
      return undefined
    },
  }
}
