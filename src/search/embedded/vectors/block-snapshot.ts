/** A copy-on-write snapshot of blocks. */
export interface BlockSnapshot {
  readonly count: number
  /** Reads a block once. The bytes are valid until the next read. */
  read(block: number): Uint8Array
  /** Releases blocks that were not read. */
  release(): void
}

interface BlockCopier {
  readonly make: () => Uint8Array
  readonly copy: (block: number, into: Uint8Array) => void
}

/** Copy-on-write: an unread block is copied before it changes. */
export function createBlockSnapshots({ make, copy }: BlockCopier) {
  const snapshots = new Set<Map<number, Uint8Array | undefined>>()
  const copyOf = (block: number, into = make()) => {
    copy(block, into)
    return into
  }
  return {
    /** Must be called before a block changes. */
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
