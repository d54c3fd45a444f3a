import { read, utils } from '@e965/xlsx'
import { Unreadable, type Warning } from '../result.ts'
import { toTable } from './table.ts'

const maxRows = 50_000
const maxSheets = 100

/** Each sheet as a table under its name. */
export function convertSheet(bytes: Uint8Array): { text: string; warnings: readonly Warning[] } {
  const book = open(bytes)
  let isTruncated = book.SheetNames.length > maxSheets
  const sections = book.SheetNames.slice(0, maxSheets).flatMap((name) => {
    const sheet = book.Sheets[name]
    if (!sheet) return []
    const rows: unknown[][] = utils.sheet_to_json(sheet, {
      header: 1,
      raw: false,
      defval: '',
      blankrows: false,
    })
    // The parser stores the range that the sheet claims when it stops early.
    isTruncated ||= sheet['!fullref'] !== undefined && sheet['!fullref'] !== sheet['!ref']
    const table = toTable(rows.map((row) => row.map(String)))
    return table === '' ? [] : [`## ${name}\n\n${table}`]
  })
  return { text: sections.join('\n\n'), warnings: isTruncated ? ['truncated'] : [] }
}

function open(bytes: Uint8Array) {
  try {
    return read(bytes, {
      type: 'array',
      dense: true,
      sheetRows: maxRows,
      dateNF: 'yyyy-mm-dd',
      cellDates: true,
      cellFormula: false,
      cellHTML: false,
      bookVBA: false,
    })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message))
      throw new Unreadable('encrypted', 'The file is encrypted. Save it without a password.')
    throw error
  }
}
