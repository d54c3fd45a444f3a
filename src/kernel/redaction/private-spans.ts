import type { Redacted } from './cut-spans.ts'

/** The letters of the name with similar Cyrillic and Greek letters. */
const name = [
  'p\u0440\u03c1',
  'r',
  'i\u0456\u03b9',
  'v\u0475\u03bd',
  'a\u0430\u03b1',
  't\u0442\u03c4',
  'e\u0435',
]
  .map((letters) => `[${letters}]`)
  .join('')
const escaped = (mark: string, code: string) =>
  `&(?:amp;){0,2}(?:${mark}|#0{0,4}${Number.parseInt(code, 16)}|#x0{0,4}${code});`
/** JSON, JavaScript and URL escapes; a text in a text has more backslashes. */
const encoded = (code: string) => `\\\\{1,8}(?:u00|x)${code}|%${code}`
const begin = `(?:<|${escaped('lt', '3c')}|${encoded('3c')})`
const end = `(?:>|${escaped('gt', '3e')}|${encoded('3e')})`
const slash = '(?:\\\\{0,8}/|%2f)'

const marks = new RegExp(
  `${begin}\\s{0,9}(?:(?<open>${name}(?:\\s(?:[^<>&]|&(?!(?:amp;){0,2}[gl]t;)){0,200}?)?${slash}?)|${slash}\\s{0,9}${name}\\s{0,9})${end}`,
  'gi',
)

interface Span {
  readonly start: number
  /** The position after the closing mark of this span; undefined if it is not closed. */
  readonly end: number | undefined
  /** The position after the last closing mark, which may belong to an inner span. */
  readonly lastClose: number
}

/** Returns the outermost spans in linear time. */
function findPrivateSpans(text: string): readonly Span[] {
  if (!/[<&%\\]/.test(text)) return []
  const spans: Span[] = []
  let depth = 0
  let start = 0
  let lastClose = 0
  for (const { index, groups, 0: mark } of text.matchAll(marks)) {
    const isOpen = groups?.['open'] !== undefined
    if (isOpen && depth++ === 0) start = lastClose = index
    if (isOpen || depth === 0) continue
    lastClose = index + mark.length
    if (--depth === 0) spans.push({ start, end: lastClose, lastClose })
  }
  return depth === 0 ? spans : [...spans, { start, end: undefined, lastClose }]
}

export function cutPrivateSpans(text: string): Redacted {
  const spans = findPrivateSpans(text)
  if (spans.length === 0) return { text, redactions: 0, kinds: [] }
  const starts = [...spans.map(({ start }) => start), text.length]
  const ends = [0, ...spans.map((span) => span.end ?? text.length)]
  const remaining = ends.map((end, index) => text.slice(end, starts[index]))
  return { text: remaining.join(''), redactions: spans.length, kinds: ['private'] }
}

/**
 * Puts each span on one line, so that a text can be split into lines before its spans are removed.
 */
export function joinPrivateSpans(text: string): string {
  const spans = findPrivateSpans(text)
  let joined = ''
  let offset = 0
  for (const { start, lastClose } of spans) {
    joined += text.slice(offset, start) + text.slice(start, lastClose).replaceAll('\n', ' ')
    offset = lastClose
  }
  return joined + text.slice(offset)
}
