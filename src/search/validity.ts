/** From when something holds, and from when it does so no more; Infinity where that is open. */
export type Span = readonly [from: number, until: number]

/** `from/until` of each in milliseconds, with commas between them, always in the same order. */
export function writeSpans(spans: readonly Span[]): string {
  return spans
    .toSorted(([from, until], [from2, until2]) => from - from2 || until - until2)
    .map((span) => span.join('/'))
    .join()
}

export function readSpans(written: string): readonly Span[] {
  return written.split(',').map((span) => {
    const [from, until] = span.split('/').map(Number)
    return [from ?? Number.NaN, until ?? Number.NaN]
  })
}
