/** About a hundred words of English. */
const aimedAt = 600
/** A longer text has longer passages: what is kept of one memory has an end. */
const most = 64

/** The parts of a text, cut between words where there are any; a short one is its only part. */
export function splitPassages(text: string): string[] {
  const count = Math.min(most, Math.max(1, Math.round(text.length / aimedAt)))
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

/** The last space before a place, as long as that is late enough. */
function cutAt(text: string, place: number, earliest: number): number {
  for (let at = place; at > earliest; at -= 1) if (/\s/.test(text[at] ?? '')) return at
  return place
}
