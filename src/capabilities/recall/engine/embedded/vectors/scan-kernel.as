// AssemblyScript. Built by `node scripts/kernels.ts`, which writes scan-kernel-binary.ts.

/**
 * The dot product of a query with each of `count` rows, times the row's scale, as f32 into `out`.
 * Rows are signed bytes, `stride` of them each, a multiple of 16; the query is as many signed
 * 16-bit numbers, small enough that no sum leaves 32 bits. `count` is a multiple of four.
 */
export function scan(
  rows: usize,
  scales: usize,
  count: i32,
  stride: i32,
  query: usize,
  out: usize,
): void {
  for (let row = 0; row < count; row += 4) {
    const second = rows + stride
    const third = second + stride
    const fourth = third + stride
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
    const sums = i32x4.add(
      i32x4.shuffle(left, right, 0, 1, 4, 5),
      i32x4.shuffle(left, right, 2, 3, 6, 7),
    )
    v128.store(out, f32x4.mul(f32x4.convert_i32x4_s(sums), v128.load(scales)))
    rows = fourth + stride
    scales += 16
    out += 16
  }
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
