/** Scripts without spaces between words, which hold more in a character. */
const spaceless = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uff9f]/

/**
 * The length of `text.slice(start, end)` in characters; a character of a script without spaces
 * counts twice, so that the bounds of such a text are half.
 */
export function weigh(text: string, start: number, end: number): number {
  const words = text.slice(start, end)
  if (!spaceless.test(words)) return words.length
  let weight = words.length
  for (let at = 0; at < words.length; at++) if (isSpaceless(words.charCodeAt(at))) weight++
  return weight
}

/** The greatest end after `start` whose weight is at most `budget`; at least one character on. */
export function reach(text: string, start: number, range: Reach): number {
  const { budget, limit } = range
  const nearest = Math.min(limit, start + budget)
  if (!spaceless.test(text.slice(start, nearest))) return Math.max(nearest, start + 1)
  let [end, weight] = [start, 0]
  while (end < limit) {
    weight += isSpaceless(text.charCodeAt(end)) ? 2 : 1
    if (weight > budget) break
    end++
  }
  return Math.max(end, start + 1)
}

interface Reach {
  readonly budget: number
  /** The end of the text to cut. */
  readonly limit: number
}

function isSpaceless(code: number): boolean {
  return code >= 0x0e00 && spaceless.test(String.fromCharCode(code))
}
