// AssemblyScript. Built by `node scripts/kernels.ts`, which writes scan-kernel-binary.ts.

/**
 * The dot product of a query with each of `count` rows, times the row's scale, as f32 into `out`.
 * Rows are signed bytes, `stride` of them each, a multiple of 16; the query is as many signed
 * 16-bit numbers, small enough that no sum leaves 32 bits. `count` is a multiple of four: rows a
 * quarter apart are read side by side, so that where one waits for its page the others do not.
 */
export function scan(
  rows: usize,
  scales: usize,
  count: i32,
  stride: i32,
  query: usize,
  out: usize,
): void {
  const quarter = count >> 2
  const apart = quarter * stride
  for (let row = 0; row < quarter; row++) {
    const second = rows + apart
    const third = second + apart
    const fourth = third + apart
    let a = i32x4.splat(0)
    let b = i32x4.splat(0)
    let c = i32x4.splat(0)
    let d = i32x4.splat(0)
    for (let at = 0; at < stride; at += 16) {
      const low = v128.load(query + (at << 1))
      const high = v128.load(query + (at << 1), 16)
      a = i32x4.add(a, dot(v128.load(rows + at), low, high))
      b = i32x4.add(b, dot(v128.load(second + at), low, high))
      c = i32x4.add(c, dot(v128.load(third + at), low, high))
      d = i32x4.add(d, dot(v128.load(fourth + at), low, high))
    }
    const left = halves(a, b)
    const right = halves(c, d)
    const sums = f32x4.convert_i32x4_s(
      i32x4.add(
        i32x4.shuffle(left, right, 0, 1, 4, 5),
        i32x4.shuffle(left, right, 2, 3, 6, 7),
      ),
    )
    write(scales, out, f32x4.extract_lane(sums, 0))
    write(scales + (quarter << 2), out + (quarter << 2), f32x4.extract_lane(sums, 1))
    write(scales + (quarter << 3), out + (quarter << 3), f32x4.extract_lane(sums, 2))
    write(scales + quarter * 12, out + quarter * 12, f32x4.extract_lane(sums, 3))
    rows += stride
    scales += 4
    out += 4
  }
}

/**
 * Lists those of `count` rows, a multiple of four, whose product is not less than `whole`, or than
 * `passage` where the row's kind is 255 and not 0. Gives how many there are.
 */
export function list(
  products: usize,
  kinds: usize,
  count: i32,
  whole: f32,
  passage: f32,
  out: usize,
): i32 {
  const from = out
  for (let row = 0; row < count; row += 4) {
    const kind = i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(kinds + row)))
    const least = v128.bitselect(f32x4.splat(passage), f32x4.splat(whole), kind)
    let fits = i32x4.bitmask(f32x4.ge(v128.load(products + (row << 2)), least))
    while (fits !== 0) {
      store<i32>(out, row + ctz(fits))
      out += 4
      fits &= fits - 1
    }
  }
  return i32(out - from) >>> 2
}

@inline
function write(scale: usize, out: usize, sum: f32): void {
  store<f32>(out, sum * load<f32>(scale))
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
