/** Blocks as they were at one moment. */
export interface HeldBlocks {
  readonly count: number
  /** Each is told once, and holds until the next. */
  take(block: number): Uint8Array
  /** Lets go of those that were not taken. */
  end(): void
}

interface Copying {
  readonly make: () => Uint8Array
  readonly copy: (block: number, into: Uint8Array) => void
}

/** Blocks that are being kept: whatever changes is copied first, unless it has been told already. */
export function createBlockHolds({ make, copy }: Copying) {
  const holds = new Set<Map<number, Uint8Array | undefined>>()
  const copyOf = (block: number, into = make()) => {
    copy(block, into)
    return into
  }
  return {
    /** Before a block is written. */
    beforeChange: (block: number): void => {
      for (const waiting of holds)
        if (waiting.has(block)) waiting.set(block, waiting.get(block) ?? copyOf(block))
    },
    hold: (count: number): HeldBlocks => {
      const waiting = new Map<number, Uint8Array | undefined>()
      for (let block = 0; block < count; block++) waiting.set(block, undefined)
      holds.add(waiting)
      const told = make()
      return {
        count,
        take: (block) => {
          const kept = waiting.get(block) ?? copyOf(block, told)
          waiting.delete(block)
          return kept
        },
        end: () => holds.delete(waiting),
      }
    },
  }
}
