import { parse } from 'csv-parse/sync'
import { Unreadable, type Warning } from '../result.ts'
import { toTable } from './table.ts'

/** As for the rows of a sheet. */
const maxRows = 50_000
const separators = [',', ';', '\t', '|']

/** A table; its first row is the header. */
export function convertCsv(source: string): { text: string; warnings: readonly Warning[] } {
  try {
    const rows: string[][] = parse(source, {
      delimiter: findSeparator(source),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      bom: true,
      to: maxRows + 1,
      max_record_size: 1_048_576,
    })
    return {
      text: toTable(rows.slice(0, maxRows)),
      warnings: rows.length > maxRows ? ['truncated'] : [],
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    throw new Unreadable('corrupt', `The file is no CSV: ${why}`)
  }
}

/** The separator that occurs most often in the first line. */
function findSeparator(source: string): string {
  const [line = ''] = source.slice(0, 10_000).split('\n', 1)
  const count = (separator: string) => line.split(separator).length
  return separators.toSorted((one, other) => count(other) - count(one))[0] ?? ','
}
