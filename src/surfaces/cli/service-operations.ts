import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { type Row, renderDetail, renderRows, toRows } from './render.ts'

/** The commands about the operation of the service. */
export const serviceOperations: readonly Operation[] = [
  {
    command: 'pipeline status',
    route: 'GET /api/pipeline/status',
    summary: 'Show the mode, the workers and the queues of background work',
    render: renderPipeline,
  },
  {
    command: 'pipeline pause',
    route: 'POST /api/pipeline/pause',
    summary: 'Pause background work with models until it is resumed',
    render: ({ changed, quiescence }) => {
      const { aborted = 0, remaining = 0 } = Object(quiescence)
      const state = changed ? 'Background work is paused' : 'Background work was already paused'
      return `${colors.green('✓')} ${state}; ${aborted} operations aborted, ${remaining} still run.`
    },
  },
  {
    command: 'pipeline resume',
    route: 'POST /api/pipeline/resume',
    summary: 'Resume background work with models',
    render: ({ mode }) => `${colors.green('✓')} Background work runs; the mode is ${mode}.`,
  },
  {
    command: 'pipeline nudge',
    route: 'POST /api/pipeline/nudge',
    summary: 'Wake all background workers',
    render: ({ woke }) => `${colors.green('✓')} Woke ${toNames(woke)}.`,
  },
  {
    command: 'db tables',
    route: 'GET /api/diagnostics/database/schema',
    summary: 'List the tables of the database with their rows',
    list: 'tables',
    columns: {
      name: 'name',
      group: 'group',
      kind: 'kind',
      rows: ({ rowCount, rowCountAtLeast }) => rowCount ?? `${rowCountAtLeast ?? '?'}+`,
      sample: ({ sampleAllowed }) => (sampleAllowed ? 'yes' : 'no'),
    },
  },
  {
    command: 'db show',
    route: 'GET /api/diagnostics/database/tables/:table/sample',
    summary: 'Show some rows of a table without credentials',
    examples: ['reverie db show memories --limit 5'],
    noun: 'table',
    listedBy: 'reverie db tables',
    render: ({ rows }) => renderSample(toRows(rows)) || 'The table has no rows here.',
  },
]

function toNames(names: unknown): string {
  return Array.isArray(names) ? names.map((name) => toLine(String(name))).join(', ') : ''
}

function renderPipeline({ mode, workers, queues }: Row): string {
  const rows = Object.entries(Object(workers)).map(([worker, state]) => {
    const { running, ...details } = Object(state)
    return { worker, running: running ? 'yes' : 'no', details: toDetails(details) }
  })
  return `${renderDetail({ mode, queue: toDetails(Object(queues).memory) })}\n\n${renderRows(rows)}`
}

function toDetails(details: object): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} ${toLine(String(value), 60)}`)
    .join(', ')
}

const maxTableColumns = 6
const maxFieldLength = 300

/** A table for narrow rows; else one line a field, so that no field is left out. */
function renderSample(rows: readonly Row[]): string {
  const isNarrow = rows.every((row) => Object.keys(row).length <= maxTableColumns)
  if (isNarrow) return renderRows(rows.map((row) => toCells(row, 24)))
  return rows.map(renderRecord).join('\n\n')
}

/** The names of the columns as they are. Empty fields are left out. */
function renderRecord(row: Row): string {
  return Object.entries(toCells(row, maxFieldLength))
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${colors.dim(name.padEnd(18))} ${value}`)
    .join('\n')
}

function toCells(row: Row, maxLength: number): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value === null ? '' : toLine(String(value), maxLength),
    ]),
  )
}
