/** Term frequencies are stored in four grades, as tsvector weights. */
const weightGrades = [
  { weight: 'A', from: 5, counts: 6 },
  { weight: 'B', from: 3, counts: 3 },
  { weight: 'C', from: 2, counts: 2 },
] as const

/** PostgreSQL limits a tsvector to 1 MiB: only the first terms of a long text are indexed. */
const maxBytes = 500_000
/** Overhead of a lexeme in a tsvector. */
const bytesPerWord = 8

/** A tsvector with each term once. Terms contain no quotes. */
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

/** The frequency of each weight; a term without weight counts once. */
export const countsByWeight = weightGrades.map(({ weight, counts }) => ({ weight, counts }))
