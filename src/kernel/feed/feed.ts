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
}

interface Start {
  readonly place: number
  readonly isGap: boolean
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

  /**
   * Yields items after the call, or after the item with this id, until the signal aborts. A gap
   * precedes the oldest item if items before it were missed.
   */
  follow(signal: AbortSignal, lastId?: string): AsyncGenerator<FeedItem<Item> | FeedGap, void> {
    const start = { place: this.#next(), isGap: false }
    return this.#read(lastId === undefined ? start : this.#startAfter(lastId), signal)
  }

  async *#read(start: Start, signal: AbortSignal): AsyncGenerator<FeedItem<Item> | FeedGap, void> {
    const leave = () => this.#wake()
    signal.addEventListener('abort', leave, { once: true })
    try {
      let { isGap, place } = start
      while (!signal.aborted) {
        if (place < this.#first) [place, isGap] = [this.#first, true]
        if (isGap) yield { isGap }
        isGap = false
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

  #startAfter(id: string): Start {
    const [life, position] = id.split('-')
    const place = life === this.#life ? Number(position) + 1 : Number.NaN
    const isKnown = Number.isInteger(place) && place >= this.#first && place <= this.#next()
    return isKnown ? { place, isGap: false } : { place: this.#first, isGap: true }
  }

  #wake(): void {
    const { resolve } = this.#signal
    this.#signal = Promise.withResolvers<void>()
    resolve()
  }
}
