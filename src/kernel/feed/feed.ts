export interface FeedItem<Item> {
  readonly id: string
  readonly item: Item
}

export interface FeedShape {
  /** Maximum number of retained items. */
  readonly size: number
  /** Distinguishes the ids of this feed from those of an earlier process. */
  readonly life: string
}

export class Feed<Item> {
  readonly #size: number
  readonly #life: string
  readonly #items: Item[] = []
  /** Position of the oldest retained item; positions begin with 1. */
  #first = 1
  #signal = Promise.withResolvers<void>()

  constructor({ size, life }: FeedShape) {
    this.#size = size
    this.#life = life
  }

  add(item: Item): void {
    this.#items.push(item)
    if (this.#items.length > this.#size) {
      this.#items.shift()
      this.#first += 1
    }
    this.#wake()
  }

  /** Lists the retained items, the oldest first. */
  list(): readonly Item[] {
    return [...this.#items]
  }

  /** Yields items after the call, until the signal aborts or the follower falls behind. */
  follow(signal: AbortSignal, lastId?: string): AsyncGenerator<FeedItem<Item>, void> {
    return this.#read(lastId === undefined ? this.#next() : this.#placeAfter(lastId), signal)
  }

  async *#read(from: number, signal: AbortSignal): AsyncGenerator<FeedItem<Item>, void> {
    const leave = () => this.#wake()
    signal.addEventListener('abort', leave, { once: true })
    try {
      for (let place = from; !signal.aborted && place >= this.#first; ) {
        const items = this.#items.slice(place - this.#first, place - this.#first + 1)
        if (items.length === 0) await this.#signal.promise
        for (const item of items) yield { id: `${this.#life}-${place++}`, item }
      }
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #next(): number {
    return this.#first + this.#items.length
  }

  #placeAfter(id: string): number {
    const [life, place] = id.split('-')
    const seen = life === this.#life ? Number(place) : 0
    const isHeld = Number.isInteger(seen) && seen >= this.#first && seen < this.#next()
    return isHeld ? seen + 1 : this.#first
  }

  #wake(): void {
    const { resolve } = this.#signal
    this.#signal = Promise.withResolvers<void>()
    resolve()
  }
}
