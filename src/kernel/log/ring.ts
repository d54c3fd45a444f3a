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
  readonly #size: number

  constructor(size = 1_000) {
    this.#size = size
  }

  add(entry: LogEntry): void {
    this.#entries.push({ ...entry, message: entry.message.slice(0, longestMessage) })
    if (this.#entries.length > this.#size) this.#entries.shift()
  }

  list(): readonly LogEntry[] {
    return [...this.#entries]
  }
}
