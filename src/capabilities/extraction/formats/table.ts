const maxColumns = 200

/** A Markdown table whose header is the first row. Empty columns at the end are left out. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const width = Math.min(
    maxColumns,
    rows.reduce(
      (most, row) => Math.max(most, row.findLastIndex((cell) => cell.trim() !== '') + 1),
      0,
    ),
  )
  const [header, ...others] = rows
  if (!header || width === 0) return ''
  const rule = `|${'---|'.repeat(width)}`
  return [toRow(header, width), rule, ...others.map((row) => toRow(row, width))].join('\n')
}

function toRow(row: readonly string[], width: number): string {
  const cells = Array.from({ length: width }, (_, at) => toCell(row[at] ?? ''))
  return `| ${cells.join(' | ')} |`
}

function toCell(value: string): string {
  return value.replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|')
}
