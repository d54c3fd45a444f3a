import { placesIn } from '../block-places.ts'
import { openScanKernel } from '../scan-kernel.ts'

/** What a helper needs to know of the blocks. */
export interface Scanned {
  readonly memory: WebAssembly.Memory
  readonly stride: number
}

/** Scans a block for another, with the query and into the place that are the helper's. */
export function createBlockScan({ memory, stride }: Scanned): (block: number) => void {
  const kernel = openScanKernel(memory)
  const places = placesIn(stride)
  return (block) => {
    const { rows, scales, helped } = places.block(block)
    kernel.scan({ rows, scales, stride, query: places.helpersQuery, into: helped })
  }
}
