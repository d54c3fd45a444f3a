export interface EventQueue<Item> {
  push(item: Item): void
  /** The iteration ends after the items that were pushed before. */
  close(): void
  /** Iterated once. */
  readonly events: AsyncIterable<Item>
}

/** Few items, so that there is no limit. `onReturn` runs when the reader stops early. */
export function createEventQueue<Item>(onReturn: () => void): EventQueue<Item> {
  const items: Item[] = []
  let isClosed = false
  let wake: (() => void) | undefined
  const next = async (): Promise<IteratorResult<Item>> => {
    for (;;) {
      const item = items.shift()
      if (item !== undefined) return { done: false, value: item }
      if (isClosed) return { done: true, value: undefined }
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await promise
    }
  }
  const end = async (): Promise<IteratorResult<Item>> => {
    onReturn()
    return { done: true, value: undefined }
  }
  return {
    push: (item) => {
      items.push(item)
      wake?.()
    },
    close: () => {
      isClosed = true
      wake?.()
    },
    events: { [Symbol.asyncIterator]: () => ({ next, return: end }) },
  }
}
