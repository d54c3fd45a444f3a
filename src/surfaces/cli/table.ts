import Table from 'cli-table3'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import { colors } from './colors.ts'

const bare = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
}

export function renderTable(head: readonly string[], rows: readonly string[][]): string {
  const table = new Table({
    head: head.map(colors.dim),
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  table.push(...rows.map((row) => row.map(neutralize)))
  return table.toString()
}
