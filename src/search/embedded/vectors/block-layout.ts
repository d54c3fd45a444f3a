export const rowsPerBlock = 4096

/** Where all of a block begins, in bytes. */
export interface BlockPlaces {
  readonly rows: number
  readonly scales: number
  readonly sketches: number
  readonly factors: number
  /** What came of it, and what whoever helps has found, so that neither writes on the other's. */
  readonly products: number
  readonly helped: number
  /** 0 for a whole text, 255 for a passage. */
  readonly kinds: number
}

/** A sketch has a byte for four numbers. */
const perSketchByte = 4
/** Of sixteen bytes each, for both halves of a byte of a sketch. */
const tableBytes = 2 * 16

/** Where everything stands in the memory that is scanned; a row takes twice `stride` bytes. */
export function placesIn(stride: number) {
  const sketchBytes = stride / perSketchByte
  /** From the beginning of a block. */
  const scales = 2 * rowsPerBlock * stride
  const sketches = scales + 4 * rowsPerBlock
  const factors = sketches + rowsPerBlock * sketchBytes
  const products = factors + 4 * rowsPerBlock
  const helped = products + 4 * rowsPerBlock
  const kinds = helped + 4 * rowsPerBlock
  const blockBytes = kinds + rowsPerBlock
  const tables = 2 * stride
  const helpersTables = tables + tableBytes * sketchBytes
  const list = helpersTables + tableBytes * sketchBytes
  const blocks = list + 4 * rowsPerBlock
  return {
    /** Two bytes a number. */
    query: 0,
    /** The helper's stay as they are until the helper is done with them. */
    ...{ tables, helpersTables, list, blocks, blockBytes, sketchBytes, scales, products },
    /** What is written of rows, from the beginning of a block: the rest is made for each question. */
    writtenBytes: products,
    block: (block: number): BlockPlaces => {
      const rows = blocks + block * blockBytes
      return {
        ...{ rows, scales: rows + scales, sketches: rows + sketches, factors: rows + factors },
        ...{ products: rows + products, helped: rows + helped, kinds: rows + kinds },
      }
    },
  }
}
