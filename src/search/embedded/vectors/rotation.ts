/**
 * A fixed pseudo-random orthogonal rotation, which spreads each value over all dimensions. Lengths
 * and products are preserved. The result is valid until the next call.
 */
export function createRotation(size: number): (vector: Float32Array) => Float32Array {
  const rotated = new Float32Array(size)
  const span = 2 ** Math.floor(Math.log2(size))
  // If the size is no power of two, two overlapping transforms are applied twice.
  const spans = [rotated.subarray(0, span), rotated.subarray(size - span)]
  const steps = span === size ? [rotated] : [...spans, ...spans]
  const signs = steps.map((_, step) => createSigns(span, step))
  return (vector) => {
    rotated.fill(0, vector.length)
    rotated.set(vector)
    for (const [step, values] of steps.entries()) transform(values, signs[step] as Int8Array)
    return rotated
  }
}

/** Pseudo-random signs. */
function createSigns(count: number, seed: number): Int8Array {
  return Int8Array.from({ length: count }, (_, at) => {
    let mixed = Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
    return (mixed ^ (mixed >>> 15)) & 1 ? 1 : -1
  })
}

/** The fast Walsh–Hadamard transform with unit scale; the length must be a power of two. */
function transform(values: Float32Array, signs: Int8Array): void {
  const scale = 1 / Math.sqrt(values.length)
  for (let at = 0; at < values.length; at++)
    values[at] = (values[at] as number) * (signs[at] as number) * scale
  for (let stride = 1; stride < values.length; stride *= 2)
    for (let from = 0; from < values.length; from += 2 * stride)
      for (let at = from; at < from + stride; at++) {
        const a = values[at] as number
        const b = values[at + stride] as number
        values[at] = a + b
        values[at + stride] = a - b
      }
}
