/** How near two texts are in meaning; 0 without vectors. */
export type TextSimilarity = (one: string, other: string) => number

/** The cosine of unit vectors. Each text is embedded once. */
export function createTextSimilarity(
  embed: (text: string) => Float32Array | undefined,
): TextSimilarity {
  const known = new Map<string, Float32Array | undefined>()
  const vectorOf = (text: string) => {
    if (!known.has(text)) known.set(text, embed(text))
    return known.get(text)
  }
  return (one, other) => {
    const [a, b] = [vectorOf(one), vectorOf(other)]
    if (!a || !b) return 0
    return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  }
}
