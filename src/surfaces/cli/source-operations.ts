import { toCount } from '../../kernel/errors/to-count.ts'
import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { type Columns, renderDetail, renderRows, toRows } from './render.ts'

const sourceColumns: Columns = {
  id: 'id',
  kind: 'kind',
  name: ({ name }) => toLine(String(name), 30),
  items: ({ stats }) => String(Object(stats).artifacts),
  health: ({ health }) => String(Object(health).status ?? ''),
  run: ({ indexJob }) => String(Object(indexJob ?? { status: 'none' }).status),
  indexed: ({ lastIndexedAt }) => lastIndexedAt ?? 'never',
}
const runColumns: Columns = {
  run: 'startedAt',
  status: 'status',
  read: ({ scanned, total }) => `${scanned} of ${total}`,
  indexed: 'indexed',
  message: ({ error, statusMessage }) => error ?? statusMessage,
}
const ofSource = { listedBy: 'reverie source list' }
const done =
  (verb: string) =>
  (_reply: object, [id = '']: readonly string[]) =>
    `${colors.green('✓')} ${verb} ${toLine(id)}`

/** The commands about sources that send one request. */
export const sourceOperations: readonly Operation[] = [
  {
    command: 'source list',
    route: 'GET /api/sources',
    summary: 'List the sources with their last run',
    after: 'source add',
    columns: sourceColumns,
    empty: 'No source is added. Add one: reverie source add vault FOLDER',
  },
  {
    command: 'source show',
    route: 'GET /api/sources/:sourceId',
    summary: 'Show a source with its last runs',
    examples: ['reverie source show notes-vault:4f1c0a9be2d37856'],
    ...ofSource,
    render: ({ source, runs }) => {
      const { health, indexJob: _run, ...fields } = Object(source)
      const detail = renderDetail({ ...fields, health: Object(health).status })
      const rows = toRows(runs)
      return rows.length === 0 ? detail : `${detail}\n\n${renderRows(rows, runColumns)}`
    },
  },
  {
    command: 'source health',
    route: 'GET /api/sources/:sourceId/health',
    summary: 'Show what a source has indexed, what failed, and what it may not read',
    examples: ['reverie source health notes-vault:4f1c0a9be2d37856'],
    ...ofSource,
    render: ({ health, stats }) => {
      const { permission, ...fields } = Object(health)
      const issues = toRows(Object(permission).issues)
      const denied = issues.map(({ path, guidance }) => `${String(path)}: ${String(guidance)}`)
      return renderDetail({
        ...Object(stats),
        ...fields,
        permission: Object(permission).status,
        denied: denied.join(' '),
      })
    },
  },
  {
    command: 'source reindex',
    route: 'POST /api/sources/:sourceId/index',
    summary: 'Queue an index run of a source',
    examples: ['reverie source reindex notes-vault:4f1c0a9be2d37856'],
    ...ofSource,
    render: done('Queued a run of'),
  },
  {
    command: 'source pause',
    route: 'POST /api/sources/:sourceId/pause',
    summary: 'Pause a source: end its run and start no other',
    examples: ['reverie source pause notes-vault:4f1c0a9be2d37856'],
    ...ofSource,
    render: done('Paused'),
  },
  {
    command: 'source resume',
    route: 'POST /api/sources/:sourceId/resume',
    summary: 'Resume a paused source and index it',
    examples: ['reverie source resume notes-vault:4f1c0a9be2d37856'],
    ...ofSource,
    render: done('Resumed'),
  },
  {
    command: 'source delete',
    route: 'DELETE /api/sources/:sourceId',
    summary: 'Delete a source with all that was indexed of it; its files stay',
    examples: [
      'reverie source delete notes-vault:4f1c0a9be2d37856 --dry-run',
      'reverie source delete notes-vault:4f1c0a9be2d37856 --yes',
    ],
    ...ofSource,
    render: ({ source, purged, dryRun: isDry }) =>
      `${colors.green('✓')} ${isDry ? 'Would delete' : 'Deleted'} ${toLine(String(Object(source).name))} with ${toCount(Object(purged).artifacts, 'item')} and ${toCount(Object(purged).chunks, 'chunk')}`,
  },
]
