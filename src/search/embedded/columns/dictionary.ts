/** Numbers for words, from 1 on; 0 is the absence of a word. */
export interface Dictionary {
  /** Gives a new word a number. */
  code(word: string | null): number
  /** 0 for a word that was never seen. */
  find(word: string): number
  /** By number; the first stands for none. */
  readonly words: readonly (string | null)[]
}

export function createDictionary(known: readonly string[] = []): Dictionary {
  const codes = new Map<string, number>()
  const words: (string | null)[] = [null]
  const code = (word: string | null): number => {
    if (word === null) return 0
    const there = codes.get(word)
    if (there !== undefined) return there
    codes.set(word, words.length)
    return words.push(word) - 1
  }
  for (const word of known) code(word)
  return { code, find: (word) => codes.get(word) ?? 0, words }
}
