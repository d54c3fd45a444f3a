export const rowsPerBlock = 4096

/** Offsets of a block, in bytes. */
export interface BlockLayout {
  readonly rows: number
  readonly scales: number
  readonly quantized: number
  readonly factors: number
  /** Dot products, and those of the helper thread in a separate place. */
  readonly products: number
  readonly helperProducts: number
  /** 0 for a whole text, 255 for a passage. */
  readonly kinds: number
}

/** Four quantized values per byte. */
const numbersPerByte = 4
/** Sixteen bytes for each half of a quantized byte. */
const tableBytes = 2 * 16

/** The memory layout for scanning. A row takes twice `stride` bytes. */
export function layoutFor(stride: number) {
  const quantizedBytes = stride / numbersPerByte
  /** Relative to the start of a block. */
  const scales = 2 * rowsPerBlock * stride
  const quantized = scales + 4 * rowsPerBlock
  const factors = quantized + rowsPerBlock * quantizedBytes
  const products = factors + 4 * rowsPerBlock
  const helperProducts = products + 4 * rowsPerBlock
  const kinds = helperProducts + 4 * rowsPerBlock
  const blockBytes = kinds + rowsPerBlock
  const tables = 2 * stride
  const helperTables = tables + tableBytes * quantizedBytes
  const list = helperTables + tableBytes * quantizedBytes
  const blocks = list + 4 * rowsPerBlock
  return {
    /** Two bytes a number. */
    query: 0,
    /** The helper reads its own copy of the tables until it is done. */
    tables,
    helpersTables: helperTables,
    list,
    blocks,
    blockBytes,
    quantizedBytes,
    scales,
    products,
    /** Stored bytes of a block; the rest is recomputed for each query. */
    storedBytes: products,
    block: (block: number): BlockLayout => {
      const rows = blocks + block * blockBytes
      return {
        rows,
        scales: rows + scales,
        quantized: rows + quantized,
        factors: rows + factors,
        products: rows + products,
        helperProducts: rows + helperProducts,
        kinds: rows + kinds,
      }
    },
  }
}

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
