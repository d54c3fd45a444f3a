/** How often a word is said is kept in four grades, as the engine's weights of words. */
const weightGrades = [
  { weight: 'A', from: 5, counts: 6 },
  { weight: 'B', from: 3, counts: 3 },
  { weight: 'C', from: 2, counts: 2 },
] as const

/** The engine takes no list above 1 MiB: of the words of a longer text the first are found. */
const maxBytes = 500_000
/** What the engine writes for each word besides. */
const bytesPerWord = 8

/** A list of words as the engine reads it; each stands there once. Terms hold no quotes. */
export function toTsvector(terms: readonly string[]): string {
  const frequencies = new Map<string, number>()
  for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  const words: string[] = []
  let bytes = 0
  for (const [term, frequency] of frequencies) {
    bytes += Buffer.byteLength(term) + bytesPerWord
    if (bytes > maxBytes) break
    words.push(`'${term}':1${weightGrades.find(({ from }) => frequency >= from)?.weight ?? ''}`)
  }
  return words.join(' ')
}

/** For each weight how often a word counts; one that has none counts once. */
export const countsByWeight = weightGrades.map(({ weight, counts }) => ({ weight, counts }))
