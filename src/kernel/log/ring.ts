export interface LogEntry {
  readonly level: string
  readonly category: string
  readonly message: string
  /** ISO time. */
  readonly at: string
}

const longestMessage = 2_000

/** The last entries, the oldest first. */
export class LogRing {
  readonly #entries: LogEntry[] = []
  readonly #listeners = new Set<(entry: LogEntry) => void>()
  readonly #size: number

  constructor(size = 1_000) {
    this.#size = size
  }

  add(entry: LogEntry): void {
    const bounded = { ...entry, message: entry.message.slice(0, longestMessage) }
    this.#entries.push(bounded)
    if (this.#entries.length > this.#size) this.#entries.shift()
    for (const listen of this.#listeners) listen(bounded)
  }

  list(): readonly LogEntry[] {
    return [...this.#entries]
  }

  /** Each entry from now on, until the signal, or until so many wait that nobody can be reading. */
  async *follow(signal: AbortSignal): AsyncGenerator<LogEntry, void> {
    const waiting: LogEntry[] = []
    const reader = { wake: () => {} }
    const listen = (entry: LogEntry) => {
      waiting.push(entry)
      reader.wake()
    }
    this.#listeners.add(listen)
    signal.addEventListener('abort', () => reader.wake(), { once: true })
    try {
      while (!signal.aborted && waiting.length <= this.#size) {
        const entry = waiting.shift()
        if (entry) yield entry
        else await new Promise<void>((resolve) => Object.assign(reader, { wake: resolve }))
      }
    } finally {
      this.#listeners.delete(listen)
    }
  }
}
