// AssemblyScript. Built by `node scripts/kernels.ts`, which writes similarity-kernel-binary.ts.

/**
 * Writes the squared cosines of rows with queries as bytes: 255 for equal directions, 0 for negative
 * cosines. A row has `stride` signed bytes (a multiple of 16) and an inverse length, at the index of
 * its token; `count` tokens are listed. A query has `stride` signed 16-bit numbers, small enough for
 * 32-bit sums, and a scale. `asked`, the number of queries, is a multiple of four. Each listed token
 * gets `asked` bytes in a table row of `width` bytes.
 */
export function compare(
  rows: usize,
  scales: usize,
  pieces: usize,
  count: i32,
  stride: i32,
  queries: usize,
  queryScales: usize,
  asked: i32,
  width: i32,
  out: usize,
): void {
  for (let listed = 0; listed < count; listed++) {
    const piece: i32 = load<u16>(pieces + (listed << 1))
    const row = rows + piece * stride
    const scale = f32x4.splat(load<f32>(scales + (piece << 2)))
    const at = out + listed * width
    for (let query = 0; query < asked; query += 4) {
      const sums = multiply(row, queries + ((query * stride) << 1), stride)
      const products = f32x4.mul(f32x4.convert_i32x4_s(sums), scale)
      const factors = queryScales + (query << 3)
      const low = toLikeness(products, v128.load(factors))
      const high = toLikeness(i64x2.shuffle(products, products, 1, 1), v128.load(factors, 16))
      const shorts = i16x8.narrow_i32x4_u(i32x4.shuffle(low, high, 0, 1, 4, 5), i32x4.splat(0))
      v128.store32_lane(at + query, i8x16.narrow_i16x8_u(shorts, shorts), 0)
    }
  }
}

/**
 * Appends each token of the batch once to the `known` listed tokens, and replaces it by its index in
 * the list. Returns the new length of the list. An entry of `places` may be stale: it is valid if the
 * list has the token at that index.
 */
export function list(held: usize, count: i32, places: usize, pieces: usize, known: i32): i32 {
  for (let at = 0; at < count; at++) {
    const piece: i32 = load<u16>(held + (at << 1))
    let place: i32 = load<u16>(places + (piece << 1))
    if (place >= known || <i32>load<u16>(pieces + (place << 1)) !== piece) {
      place = known++
      store<u16>(places + (piece << 1), place)
      store<u16>(pieces + (place << 1), piece)
    }
    store<u16>(held + (at << 1), place)
  }
  return known
}

/** Writes the maximum of each of `width` columns (a multiple of 16) over these table rows. */
export function takeLargest(
  table: usize,
  places: usize,
  count: i32,
  width: i32,
  out: usize,
): void {
  for (let column = 0; column < width; column += 16) {
    let largest = i8x16.splat(0)
    for (let at = 0; at < count; at++) {
      const place: i32 = load<u16>(places + (at << 1))
      largest = i8x16.max_u(largest, v128.load(table + place * width + column))
    }
    v128.store(out + column, largest)
  }
}

// One row with four queries.
@inline
function multiply(row: usize, query: usize, stride: i32): v128 {
  const length = stride << 1
  let a = i32x4.splat(0)
  let b = i32x4.splat(0)
  let c = i32x4.splat(0)
  let d = i32x4.splat(0)
  for (let at = 0; at < stride; at += 16) {
    const bytes = v128.load(row + at)
    const low = i16x8.extend_low_i8x16_s(bytes)
    const high = i16x8.extend_high_i8x16_s(bytes)
    const first = query + (at << 1)
    const second = first + length
    const third = second + length
    const fourth = third + length
    a = i32x4.add(a, dot(low, high, first))
    b = i32x4.add(b, dot(low, high, second))
    c = i32x4.add(c, dot(low, high, third))
    d = i32x4.add(d, dot(low, high, fourth))
  }
  const left = halves(a, b)
  const right = halves(c, d)
  return i32x4.add(
    i32x4.shuffle(left, right, 0, 1, 4, 5),
    i32x4.shuffle(left, right, 2, 3, 6, 7),
  )
}

@inline
function dot(low: v128, high: v128, query: usize): v128 {
  return i32x4.add(
    i32x4.dot_i16x8_s(low, v128.load(query)),
    i32x4.dot_i16x8_s(high, v128.load(query, 16)),
  )
}

// Lanes a0+a2, b0+b2, a1+a3, b1+b3.
@inline
function halves(a: v128, b: v128): v128 {
  return i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7))
}

// Of the first two.
@inline
function toLikeness(products: v128, factors: v128): v128 {
  const exact = f64x2.mul(f64x2.promote_low_f32x4(products), factors)
  const cosines = f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(exact))
  const positive = f64x2.pmax(f64x2.splat(0), f64x2.pmin(f64x2.splat(1), cosines))
  const scaled = f64x2.mul(f64x2.mul(positive, positive), f64x2.splat(255))
  return i32x4.trunc_sat_f64x2_u_zero(f64x2.floor(f64x2.add(scaled, f64x2.splat(0.5))))
}
