import { type StaticModel, splitPassages } from '../../../static-model/index.ts'
import type { Embedded } from '../embedder.ts'
import { toUnitVector } from '../vector.ts'

/** Embeds synchronously; returns undefined for a zero vector. */
export function embedText(
  { dims, sum, tokenise }: StaticModel,
  text: string,
): Embedded | undefined {
  const parts = splitPassages(text).map((passage) => sum(tokenise(passage)))
  return toEmbedded(parts, dims)
}

/** The vector of the whole text is the sum of its passages; a single passage is the whole. */
export function toEmbedded(parts: readonly Float64Array[], dims: number): Embedded | undefined {
  const [only] = parts
  if (parts.length > 1 || !only) return combinePassages(parts, dims)
  const whole = toUnitVector(only, dims)
  return whole && { whole, passages: [] }
}

function combinePassages(parts: readonly Float64Array[], dims: number): Embedded | undefined {
  const total = new Float64Array(dims)
  for (const part of parts)
    for (let index = 0; index < dims; index += 1)
      total[index] = (total[index] ?? 0) + (part[index] ?? 0)
  const whole = toUnitVector(total, dims)
  return whole && { whole, passages: parts.map((part) => toUnitVector(part, dims)) }
}
