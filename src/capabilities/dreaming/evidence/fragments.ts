/** Characters of one fragment. */
const maxFragmentLength = 8_000
/** A source that grew is read again from this far before its end. */
export const overlapLength = 400

export interface Fragment {
  readonly text: string
  /** Offset in the source. */
  readonly start: number
}

/** Cuts a text from an offset on. Each fragment ends at a blank line or a sentence end, if it has one. */
export function cutFragments(
  text: string,
  { from = 0, to = text.length, maxLength = maxFragmentLength } = {},
): Fragment[] {
  const fragments: Fragment[] = []
  let start = from
  while (start < to) {
    const end = findEnd(text, start, Math.min(to, start + maxLength), to)
    fragments.push({ text: text.slice(start, end), start })
    start = end
  }
  return fragments
}

function findEnd(text: string, start: number, limit: number, to: number): number {
  if (limit >= to) return to
  const blank = text.lastIndexOf('\n\n', limit - 2)
  if (blank > start) return blank + 2
  for (let at = limit - 1; at > start; at--) if (isSentenceEnd(text, at)) return at + 1
  return avoidSplit(text, limit)
}

/** A mark before white space, or the end of a line. */
function isSentenceEnd(text: string, at: number): boolean {
  const [before, here] = [text[at - 1] ?? '', text[at] ?? '']
  return here === '\n' || (/[.!?。！？]/u.test(before) && /\s/u.test(here))
}

/** A cut does not split a surrogate pair. */
function avoidSplit(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

/** The offset from which a partly read source is read on. */
export function findResume(text: string, reviewed: number): number {
  const limit = Math.max(0, Math.min(text.length, reviewed) - overlapLength)
  for (let at = limit; at > 0; at--) if (isSentenceEnd(text, at)) return at + 1
  return 0
}
