import { type StaticModel, splitPassages } from '../../../static-model/index.ts'
import type { Embedded } from '../embedder.ts'
import { toUnitVector } from '../vector.ts'

/** Without a pause; undefined for a text that has no direction. */
export function embedText(
  { dims, sum, tokenise }: StaticModel,
  text: string,
): Embedded | undefined {
  const parts = splitPassages(text).map((passage) => sum(tokenise(passage)))
  return toEmbedded(parts, dims)
}

/** The whole is what its passages are together; one that is alone is the whole. */
export function toEmbedded(parts: readonly Float64Array[], dims: number): Embedded | undefined {
  const [only] = parts
  if (parts.length > 1 || !only) return inPassages(parts, dims)
  const whole = toUnitVector(only, dims)
  return whole && { whole, passages: [] }
}

function inPassages(parts: readonly Float64Array[], dims: number): Embedded | undefined {
  const all = new Float64Array(dims)
  for (const part of parts)
    for (let at = 0; at < dims; at += 1) all[at] = (all[at] ?? 0) + (part[at] ?? 0)
  const whole = toUnitVector(all, dims)
  return whole && { whole, passages: parts.map((part) => toUnitVector(part, dims)) }
}
