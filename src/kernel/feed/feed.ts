export interface FeedItem<Item> {
  readonly id: string
  readonly item: Item
}

/** Items before the next one were dropped, so the follower has not received them. */
export interface FeedGap {
  readonly isGap: true
}

export interface FeedShape {
  /** Maximum number of retained items. */
  readonly size: number
  /** Distinguishes the ids of this feed from those of an earlier process. */
  readonly life: string
  /** Awaited before items are delivered, so that followers wake once for several of them. */
  readonly gather?: () => Promise<unknown>
}

type Entry<Item> = FeedItem<Item> | FeedGap

/** Entries that a follower receives at once. */
const maxBatch = 100

interface Start {
  readonly place: number
  readonly isGap: boolean
}

export class Feed<Item> {
  readonly #size: number
  readonly #life: string
  readonly #gather: FeedShape['gather']
  readonly #items: Item[] = []
  /** Position of the oldest retained item; positions begin with 1. */
  #first = 1
  #signal = Promise.withResolvers<void>()
  #isGathering = false

  constructor({ size, life, gather }: FeedShape) {
    this.#size = size
    this.#life = life
    this.#gather = gather
  }

  add(item: Item): void {
    this.#items.push(item)
    if (this.#items.length > this.#size) {
      this.#items.shift()
      this.#first += 1
    }
    if (this.#gather) this.#wakeLater(this.#gather)
    else this.#wake()
  }

  /** Lists the retained items, the oldest first. */
  list(): readonly Item[] {
    return [...this.#items]
  }

  /**
   * Yields items after the call, or after the item with this id, until the signal aborts. A gap
   * precedes the oldest item if items before it were missed.
   */
  follow(signal: AbortSignal, lastId?: string): AsyncGenerator<Entry<Item>, void> {
    return flatten(this.#read({ ...this.#startAt(lastId), size: 1 }, signal))
  }

  /** Like `follow`, with all entries that are there at a time. */
  followBatches(
    signal: AbortSignal,
    lastId?: string,
  ): AsyncGenerator<readonly Entry<Item>[], void> {
    return this.#read({ ...this.#startAt(lastId), size: maxBatch }, signal)
  }

  async *#read(
    { size, ...start }: Start & { readonly size: number },
    signal: AbortSignal,
  ): AsyncGenerator<readonly Entry<Item>[], void> {
    const leave = () => this.#wake()
    signal.addEventListener('abort', leave, { once: true })
    try {
      let { isGap, place } = start
      while (!signal.aborted) {
        if (place < this.#first) [place, isGap] = [this.#first, true]
        const gaps = isGap ? [{ isGap }] : []
        isGap = false
        const at = place - this.#first
        const items = this.#items.slice(at, at + size)
        const entries = items.map((item) => ({ id: `${this.#life}-${place++}`, item }))
        const batch = [...gaps, ...entries]
        if (batch.length > 0) yield batch
        else await this.#signal.promise
      }
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #next(): number {
    return this.#first + this.#items.length
  }

  #startAt(id: string | undefined): Start {
    if (id === undefined) return { place: this.#next(), isGap: false }
    const [life, position] = id.split('-')
    const place = life === this.#life ? Number(position) + 1 : Number.NaN
    const isKnown = Number.isInteger(place) && place >= this.#first && place <= this.#next()
    return isKnown ? { place, isGap: false } : { place: this.#first, isGap: true }
  }

  #wakeLater(gather: () => Promise<unknown>): void {
    if (this.#isGathering) return
    this.#isGathering = true
    void gather().finally(() => {
      this.#isGathering = false
      this.#wake()
    })
  }

  #wake(): void {
    const { resolve } = this.#signal
    this.#signal = Promise.withResolvers<void>()
    resolve()
  }
}

async function* flatten<Value>(batches: AsyncIterable<readonly Value[]>) {
  for await (const batch of batches) yield* batch
}
