export type Numbers =
  | Float32Array
  | Float64Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Uint8Array
  | Int8Array

/** Numbers side by side that become more. Read `values` anew after each `push`: it may have moved. */
export interface Growing<Values extends Numbers> {
  values: Values
  length: number
  readonly make: (length: number) => Values
}

const leastRoom = 64
/** What is longer grows by a quarter, not to twice its length. */
const long = 2 ** 16

export function createGrowing<Values extends Numbers>(
  make: (length: number) => Values,
  room = leastRoom,
): Growing<Values> {
  return { values: make(Math.max(room, leastRoom)), length: 0, make }
}

export function push(growing: Growing<Numbers>, value: number): void {
  reserve(growing, 1)
  growing.values[growing.length] = value
  growing.length += 1
}

/** Room for so many more; what is there stays, and what follows is zero. */
export function reserve(growing: Growing<Numbers>, count: number): void {
  const { values, length } = growing
  if (length + count <= values.length) return
  const growth = values.length < long ? 2 : 1.25
  const larger = growing.make(Math.max(Math.ceil(growth * values.length), length + count))
  larger.set(values.subarray(0, length))
  growing.values = larger
  giveBack(values)
}

/** Gives the memory back at once, and not when it is next collected: nothing is there any more. */
export function giveBack({ buffer }: Numbers): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** As long as this at least; what was not there is zero. */
export function extend(growing: Growing<Numbers>, length: number): void {
  reserve(growing, length - growing.length)
  growing.length = Math.max(growing.length, length)
}

/** Takes the values for its own, with no room for more. */
export function take<Values extends Numbers>(into: Growing<Values>, values: Values): void {
  into.values = values
  into.length = values.length
}

/** So many numbers at once take about a millisecond. */
const gatheredAtOnce = 2 ** 16

interface Gathering<Values extends Numbers> {
  /** Where each list begins, and how long it is. */
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
  readonly make: (length: number) => Values
  readonly valueAt: (place: number) => number
}

/** What lists hold, one behind the other; what is given holds until the next. */
export function* gather<Values extends Numbers>({
  starts,
  lengths,
  make,
  valueAt,
}: Gathering<Values>): Generator<Values> {
  const gathered = make(gatheredAtOnce)
  let length = 0
  for (let list = 0; list < starts.length; list++) {
    const from = starts[list] as number
    const to = from + (lengths[list] as number)
    for (let place = from; place < to; place++) {
      gathered[length++] = valueAt(place)
      if (length < gatheredAtOnce) continue
      yield gathered
      length = 0
    }
  }
  yield gathered.subarray(0, length) as Values
}

/** What stands at these places, side by side; 0 behind the end. */
export function pick(values: Uint32Array, places: Int32Array): Uint32Array {
  const picked = new Uint32Array(places.length)
  for (let at = 0; at < places.length; at++) picked[at] = values[places[at] as number] ?? 0
  return picked
}
