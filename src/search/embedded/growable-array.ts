export type Numbers =
  | Float32Array
  | Float64Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Uint8Array
  | Int8Array

/** A typed array that grows. `push` may replace `values`: read it again afterwards. */
export interface GrowableArray<Values extends Numbers> {
  values: Values
  length: number
  readonly make: (length: number) => Values
}

const minCapacity = 64
/** Above this length the capacity grows by 25 %, below it doubles. */
const slowGrowthLength = 2 ** 16

export function createGrowableArray<Values extends Numbers>(
  make: (length: number) => Values,
  capacity = minCapacity,
): GrowableArray<Values> {
  return { values: make(Math.max(capacity, minCapacity)), length: 0, make }
}

export function push(array: GrowableArray<Numbers>, value: number): void {
  reserve(array, 1)
  array.values[array.length] = value
  array.length += 1
}

/** Ensures capacity for `count` more values; new values are zero. */
export function reserve(array: GrowableArray<Numbers>, count: number): void {
  const { values, length } = array
  if (length + count <= values.length) return
  const growth = values.length < slowGrowthLength ? 2 : 1.25
  const larger = array.make(Math.max(Math.ceil(growth * values.length), length + count))
  larger.set(values.subarray(0, length))
  array.values = larger
  releaseMemory(values)
}

/** Detaches the buffer, so that its memory is released before the next garbage collection. */
export function releaseMemory({ buffer }: Numbers): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Ensures a minimum length; new values are zero. */
export function extend(array: GrowableArray<Numbers>, length: number): void {
  reserve(array, length - array.length)
  array.length = Math.max(array.length, length)
}

/** Uses the given array as storage, without spare capacity. */
export function adopt<Values extends Numbers>(into: GrowableArray<Values>, values: Values): void {
  into.values = values
  into.length = values.length
}

/** About one millisecond of work. */
const gatherBatchSize = 2 ** 16

interface GatherOptions<Values extends Numbers> {
  /** Start and length of each list. */
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
  readonly make: (length: number) => Values
  readonly valueAt: (index: number) => number
}

/** Concatenates lists in batches. A batch is valid until the next one is requested. */
export function* gather<Values extends Numbers>({
  starts,
  lengths,
  make,
  valueAt,
}: GatherOptions<Values>): Generator<Values> {
  const batch = make(gatherBatchSize)
  let length = 0
  for (let list = 0; list < starts.length; list++) {
    const from = starts[list] as number
    const to = from + (lengths[list] as number)
    for (let index = from; index < to; index++) {
      batch[length++] = valueAt(index)
      if (length < gatherBatchSize) continue
      yield batch
      length = 0
    }
  }
  yield batch.subarray(0, length) as Values
}

/** Values at the given indexes; 0 past the end. */
export function pick(values: Uint32Array, indexes: Int32Array): Uint32Array {
  const picked = new Uint32Array(indexes.length)
  for (let index = 0; index < indexes.length; index++)
    picked[index] = values[indexes[index] as number] ?? 0
  return picked
}
