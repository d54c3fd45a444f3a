/**
 * The edit distance of two words, in which a transposition of neighbours counts one (optimal string
 * alignment); more than `max` if it is larger than `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) row.push(cellOf({ a, b, i, j }, [beforeLast, last, row]))
    if (Math.min(...row) > max) return max + 1
    beforeLast = last
    last = row
  }
  return Math.min(last[b.length] ?? max, max + 1)
}

interface Cell {
  readonly a: string
  readonly b: string
  readonly i: number
  readonly j: number
}

function cellOf({ a, b, i, j }: Cell, rows: readonly (readonly number[])[]): number {
  const [beforeLast = [], last = [], row = []] = rows
  const at = (values: readonly number[], index: number) => values[index] ?? Number.POSITIVE_INFINITY
  const substitution = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
  const edits = Math.min(substitution, at(last, j) + 1, at(row, j - 1) + 1)
  const isTransposed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  return isTransposed ? Math.min(edits, at(beforeLast, j - 2) + 1) : edits
}
