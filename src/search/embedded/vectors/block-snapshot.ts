/** Blocks as they were at one moment. */
export interface BlockSnapshot {
  readonly count: number
  /** Each is told once, and holds until the next. */
  read(block: number): Uint8Array
  /** Lets go of those that were not taken. */
  release(): void
}

interface BlockCopier {
  readonly make: () => Uint8Array
  readonly copy: (block: number, into: Uint8Array) => void
}

/** Blocks that are being kept: whatever changes is copied first, unless it has been told already. */
export function createBlockSnapshots({ make, copy }: BlockCopier) {
  const snapshots = new Set<Map<number, Uint8Array | undefined>>()
  const copyOf = (block: number, into = make()) => {
    copy(block, into)
    return into
  }
  return {
    /** Before a block is written. */
    beforeWrite: (block: number): void => {
      for (const unreadBlocks of snapshots)
        if (unreadBlocks.has(block))
          unreadBlocks.set(block, unreadBlocks.get(block) ?? copyOf(block))
    },
    create: (count: number): BlockSnapshot => {
      const unreadBlocks = new Map<number, Uint8Array | undefined>()
      for (let block = 0; block < count; block++) unreadBlocks.set(block, undefined)
      snapshots.add(unreadBlocks)
      const buffer = make()
      return {
        count,
        read: (block) => {
          const bytes = unreadBlocks.get(block) ?? copyOf(block, buffer)
          unreadBlocks.delete(block)
          return bytes
        },
        release: () => snapshots.delete(unreadBlocks),
      }
    },
  }
}
