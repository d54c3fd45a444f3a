/** Where a chunk is in its text; all numbers from 1. */
export interface Place {
  readonly lineFrom: number
  readonly lineTo: number
  /** Only in texts whose pages end with a form feed. */
  readonly page?: number
}

const newline = 10
const formFeed = 12

/** Returns a function that locates parts of a text. It expects parts in almost ascending order. */
export function createLocator(text: string): (start: number, end: number) => Place {
  const hasPages = text.includes('\f')
  let [at, line, page] = [0, 1, 1]
  const move = (to: number) => {
    for (; at < to; at++) count(text.charCodeAt(at), 1)
    while (at > to) count(text.charCodeAt(--at), -1)
  }
  const count = (code: number, step: 1 | -1) => {
    if (code === newline) line += step
    else if (code === formFeed) page += step
  }
  return (start, end) => {
    const first = start + (/^\s*/.exec(text.slice(start, end))?.[0].length ?? 0)
    move(first)
    const place = { lineFrom: line, ...(hasPages && { page }) }
    move(first + text.slice(first, end).trimEnd().length)
    return { ...place, lineTo: line }
  }
}
