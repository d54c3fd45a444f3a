import type { Host } from '../../kernel/host/host.ts'

export interface Buffer<Item> {
  /** Returns at once; the writing comes later. */
  add(item: Item): void
  /** When all that was added is written, which from then on waits for no more. */
  settled(): Promise<void>
}

interface BufferShape<Item> {
  readonly host: Pick<Host, 'sleep'>
  /** When this many wait, the oldest of them goes. */
  readonly most: number
  /** Written as soon as so many have come together, and after this time at the latest. */
  readonly atOnce: number
  readonly withinMs: number
  write(items: readonly Item[]): Promise<void>
  /** Told of what was not written, with the error if there was one. */
  onLost(count: number, error?: unknown): void
}

/** Gathers what is worth keeping and is nothing that anybody waits for. */
export function createBuffer<Item>(shape: BufferShape<Item>): Buffer<Item> {
  const { host, most, atOnce, withinMs, write, onLost } = shape
  const waiting: Item[] = []
  let dropped = 0
  let running: { readonly hurry: AbortController; readonly done: Promise<void> } | undefined

  const writeAll = async () => {
    while (waiting.length > 0) {
      const items = waiting.splice(0, atOnce)
      try {
        await write(items)
      } catch (error) {
        onLost(items.length, error)
      }
    }
    if (dropped > 0) onLost(dropped)
    dropped = 0
    running = undefined
  }
  const start = () => {
    const hurry = new AbortController()
    return { hurry, done: host.sleep(withinMs, hurry.signal).then(writeAll) }
  }

  return {
    add: (item) => {
      if (waiting.length >= most) {
        waiting.shift()
        dropped += 1
      }
      waiting.push(item)
      running ??= start()
      if (waiting.length >= atOnce) running.hurry.abort()
    },
    settled: async () => {
      running?.hurry.abort()
      await running?.done
    },
  }
}
