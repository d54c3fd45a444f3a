/** About a hundred words of English. */
const targetLength = 600
/** Bounds the vectors of one memory; a longer text gets longer passages. */
const maxPassages = 64

/** Splits a text at spaces; a short text is one passage. */
export function splitPassages(text: string): string[] {
  const count = Math.min(maxPassages, Math.max(1, Math.round(text.length / targetLength)))
  const length = Math.ceil(text.length / count)
  const passages: string[] = []
  let start = 0
  while (passages.length < count - 1) {
    const end = cutAt(text, start + length, start + Math.ceil(length / 2))
    passages.push(text.slice(start, end))
    start = end
  }
  return [...passages, text.slice(start)]
}

/** Returns the last space before `end` and after `min`, else `end`. */
function cutAt(text: string, end: number, min: number): number {
  for (let index = end; index > min; index -= 1) if (/\s/.test(text[index] ?? '')) return index
  return end
}
