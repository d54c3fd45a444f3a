export const rowsPerBlock = 4096

/** Where all of a block begins, in bytes. */
export interface BlockPlaces {
  readonly rows: number
  readonly scales: number
  /** What came of it: of whoever searches, and of whoever helps, so that neither writes on the other's. */
  readonly products: number
  readonly helped: number
  /** 0 for a whole text, 255 for a passage. */
  readonly kinds: number
}

/** Where everything stands in the memory that is scanned; a row takes `stride` bytes. */
export function placesIn(stride: number) {
  const list = 4 * stride
  const blocks = list + 4 * rowsPerBlock
  return {
    /** Two of two bytes a number: the helper's stays as it is until the helper is done with it. */
    query: 0,
    helpersQuery: 2 * stride,
    list,
    block: (block: number): BlockPlaces => {
      const rows = blocks + block * rowsPerBlock * (stride + 13)
      const scales = rows + rowsPerBlock * stride
      const products = scales + 4 * rowsPerBlock
      const helped = products + 4 * rowsPerBlock
      return { rows, scales, products, helped, kinds: helped + 4 * rowsPerBlock }
    },
  }
}
