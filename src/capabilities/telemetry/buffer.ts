import type { Host } from '../../kernel/host/host.ts'

export interface Buffer<Item> {
  /** Returns immediately; the buffer writes later. */
  add(item: Item): void
  /** Resolves when all added items are written, without further delay. */
  flush(): Promise<void>
  /** Waiting items, and those lost since the start. */
  state(): { readonly buffered: number; readonly dropped: number }
}

interface BufferOptions<Item> {
  readonly host: Pick<Host, 'sleep'>
  /** A full queue drops its oldest item. */
  readonly maxQueued: number
  /** A full batch is written immediately, a smaller one after `flushDelayMs`. */
  readonly batchSize: number
  readonly flushDelayMs: number
  write(items: readonly Item[]): Promise<void>
  /** Receives the number of lost items, with the error if there is one. */
  onLost(count: number, error?: unknown): void
}

/** Buffers items for batched writes that no caller awaits. */
export function createBuffer<Item>(options: BufferOptions<Item>): Buffer<Item> {
  const { host, maxQueued, batchSize, flushDelayMs, write, onLost } = options
  const queue: Item[] = []
  let dropped = 0
  let lostCount = 0
  let running: { readonly flushSignal: AbortController; readonly done: Promise<void> } | undefined

  const writeAll = async () => {
    while (queue.length > 0) {
      const items = queue.splice(0, batchSize)
      try {
        await write(items)
      } catch (error) {
        lostCount += items.length
        onLost(items.length, error)
      }
    }
    if (dropped > 0) onLost(dropped)
    dropped = 0
    running = undefined
  }
  const start = () => {
    const flushSignal = new AbortController()
    return { flushSignal, done: host.sleep(flushDelayMs, flushSignal.signal).then(writeAll) }
  }

  return {
    add: (item) => {
      if (queue.length >= maxQueued) {
        queue.shift()
        dropped += 1
        lostCount += 1
      }
      queue.push(item)
      running ??= start()
      if (queue.length >= batchSize) running.flushSignal.abort()
    },
    flush: async () => {
      running?.flushSignal.abort()
      await running?.done
    },
    state: () => ({ buffered: queue.length, dropped: lostCount }),
  }
}
