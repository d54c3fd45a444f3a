/** Bounds the look-ups for each character. */
const maxLength = 6
/** A query is translated by its first words. */
const maxWords = 16

/**
 * The distinct words of a text without spaces: from left to right the longest that is known.
 * The look-ups grow with the length of the text.
 */
export function listSpacelessWords(
  text: string,
  isKnown: (word: string) => boolean,
): readonly string[] {
  const characters = [...text]
  const words = new Set<string>()
  for (let at = 0; at < characters.length && words.size < maxWords; ) {
    const word = findLongest(characters, at, isKnown)
    if (word !== undefined) words.add(word)
    at += word === undefined ? 1 : [...word].length
  }
  return [...words]
}

function findLongest(
  characters: readonly string[],
  start: number,
  isKnown: (word: string) => boolean,
): string | undefined {
  for (let end = Math.min(characters.length, start + maxLength); end > start; end--) {
    const word = characters.slice(start, end).join('')
    if (isKnown(word)) return word
  }
  return undefined
}
