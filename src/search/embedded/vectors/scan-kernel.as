// AssemblyScript. Built by `node scripts/kernels.ts`, which writes scan-kernel-binary.ts.

/** Same as in block-layout.ts. */
const rowsPerBlock = 4096
const fetchedAtOnce = 16
const lineBytes = 64

/**
 * Writes an upper bound of the product of a query with each of `count` rows to `out`, as f32. Sixteen
 * quantized rows are interleaved byte by byte, `bytes` times. Each half byte indexes a table of sixteen
 * entries; tables follow each other. Sums stay within 16 bits. The bound is factor * (`unit` * sum +
 * `offset`) + `base`.
 */
export function estimate(
  sketches: usize,
  factors: usize,
  count: i32,
  bytes: i32,
  tables: usize,
  unit: f32,
  offset: f32,
  base: f32,
  out: usize,
): void {
  const half = i8x16.splat(15)
  for (let row = 0; row < count; row += 16) {
    // `all` sums even lanes plus 256 times the odd ones; `odd` sums the odd ones.
    let all = i16x8.splat(0)
    let odd = i16x8.splat(0)
    let table = tables
    for (let at = 0; at < bytes; at++) {
      const codes = v128.load(sketches)
      const low = i8x16.swizzle(v128.load(table), v128.and(codes, half))
      const high = i8x16.swizzle(v128.load(table, 16), v128.and(i16x8.shr_u(codes, 4), half))
      const added = i8x16.add(low, high)
      all = i16x8.add(all, added)
      odd = i16x8.add(odd, i16x8.shr_u(added, 8))
      sketches += 16
      table += 32
    }
    const even = i16x8.sub(all, i16x8.shl(odd, 8))
    const first = i16x8.shuffle(even, odd, 0, 8, 1, 9, 2, 10, 3, 11)
    const second = i16x8.shuffle(even, odd, 4, 12, 5, 13, 6, 14, 7, 15)
    bound(i32x4.extend_low_i16x8_u(first), factors, unit, offset, base, out)
    bound(i32x4.extend_high_i16x8_u(first), factors + 16, unit, offset, base, out + 16)
    bound(i32x4.extend_low_i16x8_u(second), factors + 32, unit, offset, base, out + 32)
    bound(i32x4.extend_high_i16x8_u(second), factors + 48, unit, offset, base, out + 48)
    factors += 64
    out += 64
  }
}

@inline
function bound(
  sums: v128,
  factors: usize,
  unit: f32,
  offset: f32,
  base: f32,
  out: usize,
): void {
  const scaled = f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.splat(unit))
  const most = f32x4.mul(v128.load(factors), f32x4.add(scaled, f32x4.splat(offset)))
  v128.store(out, f32x4.add(most, f32x4.splat(base)))
}

/**
 * Lists the rows (of `count`, a multiple of four) whose product reaches the threshold: `whole` for kind
 * 0, `passage` for kind 255. Row numbers start at `first`. Returns the number of listed rows.
 */
export function list(
  products: usize,
  kinds: usize,
  count: i32,
  whole: f32,
  passage: f32,
  first: i32,
  out: usize,
): i32 {
  const from = out
  for (let row = 0; row < count; row += 4) {
    const kind = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(kinds + row)))
    const least = v128.bitselect(f32x4.splat(passage), f32x4.splat(whole), kind)
    let fits = i32x4.bitmask(f32x4.ge(v128.load(products + (row << 2)), least))
    while (fits !== 0) {
      store<i32>(out, first + row + ctz(fits))
      out += 4
      fits &= fits - 1
    }
  }
  return i32(out - from) >>> 2
}

/**
 * Writes the dot product of a query with each of `count` listed rows, times the scale of the row. A row
 * has `stride` signed bytes (a multiple of 16), followed by as many residuals in steps of 1/254. The
 * query has signed 16-bit numbers, small enough for 32-bit sums. `scales` and `products` are offsets
 * from the start of a block. Rows may be in any block: many are prefetched before they are read, to
 * overlap cache misses. The result has no meaning; it keeps the prefetch from being optimized away.
 */
export function multiply(
  list: usize,
  count: i32,
  blocks: usize,
  blockBytes: i32,
  stride: i32,
  scales: i32,
  products: i32,
  query: usize,
): i32 {
  let fetched = fetch(list, 0, count, blocks, blockBytes, stride)
  for (let at = 0; at < count; at += 2) {
    if (at % fetchedAtOnce === 0)
      fetched ^= fetch(list, at + fetchedAtOnce, count, blocks, blockBytes, stride)
    const first = load<u32>(list + (at << 2))
    const second = load<u32>(list + (min(at + 1, count - 1) << 2))
    let row = rowAt(first, blocks, blockBytes, stride)
    let other = rowAt(second, blocks, blockBytes, stride)
    let a = i32x4.splat(0)
    let b = i32x4.splat(0)
    let c = i32x4.splat(0)
    let d = i32x4.splat(0)
    for (let from = 0; from < stride; from += 16) {
      const low = v128.load(query + (from << 1))
      const high = v128.load(query + (from << 1), 16)
      a = i32x4.add(a, dot(v128.load(row), low, high))
      b = i32x4.add(b, dot(v128.load(row + stride), low, high))
      c = i32x4.add(c, dot(v128.load(other), low, high))
      d = i32x4.add(d, dot(v128.load(other + stride), low, high))
      row += 16
      other += 16
    }
    const left = halves(a, b)
    const right = halves(c, d)
    const sums = i32x4.add(
      i32x4.shuffle(left, right, 0, 4, 1, 5),
      i32x4.shuffle(left, right, 2, 6, 3, 7),
    )
    const parts = f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4(1, 1, f32(1) / 254, f32(1) / 254))
    const both = f32x4.add(parts, i32x4.shuffle(parts, parts, 2, 3, 0, 1))
    write(first, f32x4.extract_lane(both, 0), blocks, blockBytes, scales, products)
    write(second, f32x4.extract_lane(both, 1), blocks, blockBytes, scales, products)
  }
  return fetched
}

/** Prefetches the rows: reads one byte of each cache line. */
function fetch(
  list: usize,
  from: i32,
  count: i32,
  blocks: usize,
  blockBytes: i32,
  stride: i32,
): i32 {
  let read: i32 = 0
  for (let at = from; at < min(from + fetchedAtOnce, count); at++) {
    const row = rowAt(load<u32>(list + (at << 2)), blocks, blockBytes, stride)
    for (let byte = 0; byte < stride << 1; byte += lineBytes) read ^= load<u8>(row + byte)
  }
  return read
}

@inline
function rowAt(row: u32, blocks: usize, blockBytes: i32, stride: i32): usize {
  return blocks + (row / rowsPerBlock) * blockBytes + (((row % rowsPerBlock) * stride) << 1)
}

@inline
function write(
  row: u32,
  sum: f32,
  blocks: usize,
  blockBytes: i32,
  scales: i32,
  products: i32,
): void {
  const place = blocks + (row / rowsPerBlock) * blockBytes + ((row % rowsPerBlock) << 2)
  store<f32>(place + products, sum * load<f32>(place + scales))
}

@inline
function dot(bytes: v128, low: v128, high: v128): v128 {
  return i32x4.add(
    i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(bytes), low),
    i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(bytes), high),
  )
}

// Lanes a0+a2, b0+b2, a1+a3, b1+b3.
@inline
function halves(a: v128, b: v128): v128 {
  return i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7))
}
