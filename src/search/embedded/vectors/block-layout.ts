export const rowsPerBlock = 4096

/** Where all of a block begins, in bytes. */
export interface BlockLayout {
  readonly rows: number
  readonly scales: number
  readonly quantized: number
  readonly factors: number
  /** What came of it, and what whoever helps has found, so that neither writes on the other's. */
  readonly products: number
  readonly helperProducts: number
  /** 0 for a whole text, 255 for a passage. */
  readonly kinds: number
}

/** A sketch has a byte for four numbers. */
const numbersPerByte = 4
/** Of sixteen bytes each, for both halves of a byte of a sketch. */
const tableBytes = 2 * 16

/** Where everything stands in the memory that is scanned; a row takes twice `stride` bytes. */
export function layoutFor(stride: number) {
  const quantizedBytes = stride / numbersPerByte
  /** From the beginning of a block. */
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
    /** The helper's stay as they are until the helper is done with them. */
    tables,
    helpersTables: helperTables,
    list,
    blocks,
    blockBytes,
    sketchBytes: quantizedBytes,
    scales,
    products,
    /** What is written of rows, from the beginning of a block: the rest is made for each question. */
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
