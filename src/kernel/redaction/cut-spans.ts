export interface Redacted {
  readonly text: string
  /** Number of removed spans. */
  readonly redactions: number
  /** The kinds of the removed spans, without duplicates and values. */
  readonly kinds: readonly string[]
}

export interface Spans {
  readonly kind: string
  readonly open: RegExp
  readonly close: RegExp
  /** The extent of an unclosed span. */
  readonly unclosed: RegExp
  /** Replaces each span. */
  readonly replacement: string
}

/** Runs in linear time. A single pattern would scan the rest of the text for each opening mark. */
export function cutSpans(
  text: string,
  { kind, open, close, unclosed, replacement: left }: Spans,
): Redacted {
  const parts: string[] = []
  let at = 0
  let closes = true
  for (let begin = matchFrom(open, text, at); begin; begin = matchFrom(open, text, at)) {
    parts.push(text.slice(at, begin.index), left)
    const inside = begin.index + begin[0].length
    const closing: RegExpExecArray | null = closes ? matchFrom(close, text, inside) : null
    // No closing mark follows, so later opening marks need no search.
    closes = closing !== null
    const end = closing ?? matchFrom(unclosed, text, inside)
    at = end ? end.index + end[0].length : inside
  }
  if (parts.length === 0) return { text, redactions: 0, kinds: [] }
  parts.push(text.slice(at))
  return { text: parts.join(''), redactions: Math.ceil((parts.length - 1) / 2), kinds: [kind] }
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern)
  sticky.lastIndex = from
  return sticky.exec(text)
}
