import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import type { Row } from './render.ts'

/** Longer than the time in which the service repairs for one request. */
const timeoutMs = 60_000

/** A repair prints its message. */
const repair = { render: renderResult, timeoutMs } as const

/** The commands that repair stored data, and those that read what they did. */
export const repairOperations: readonly Operation[] = [
  {
    ...repair,
    command: 'repair requeue-dead',
    route: 'POST /api/repair/requeue-dead',
    summary: 'Requeue up to 50 jobs that failed finally',
  },
  {
    ...repair,
    command: 'repair release-leases',
    route: 'POST /api/repair/release-leases',
    summary: 'Release the leases of jobs that no daemon runs any more',
  },
  {
    ...repair,
    command: 'repair check-fts',
    route: 'POST /api/repair/check-fts',
    summary: 'Check the text index, and rebuild it with --repair',
    examples: ['reverie repair check-fts', 'reverie repair check-fts --repair'],
    repeats: true,
  },
  {
    ...repair,
    command: 'repair retention-sweep',
    route: 'POST /api/repair/retention-sweep',
    summary: 'Delete expired memories, history, jobs and their orphaned rows',
    examples: ['reverie repair retention-sweep --dry-run'],
    repeats: true,
  },
  {
    command: 'repair embedding-gaps',
    route: 'GET /api/repair/embedding-gaps',
    summary: 'Count the memories without a vector',
  },
  {
    ...repair,
    command: 'repair clean-orphans',
    route: 'POST /api/repair/clean-orphans',
    summary: 'Delete the vectors of memories that are deleted or missing',
    examples: ['reverie repair clean-orphans --dry-run'],
    repeats: true,
  },
  {
    ...repair,
    command: 'repair re-embed',
    route: 'POST /api/repair/re-embed',
    summary: 'Embed memories without a vector',
    examples: ['reverie repair re-embed --dry-run', 'reverie repair re-embed --full-sweep'],
    repeats: true,
  },
  {
    ...repair,
    command: 'repair re-embed-migration',
    route: 'POST /api/repair/re-embed-migration',
    summary: 'Embed memories whose vectors have another model',
    examples: ['reverie repair re-embed-migration --dry-run'],
    options: { all: 'any-model' },
    repeats: true,
  },
  {
    command: 'repair dedup-stats',
    route: 'GET /api/repair/dedup-stats',
    summary: 'Count the memories that repeat the content of another one',
    render: ({ exactClusters, exactExcess, totalActive }) =>
      `${exactExcess} of ${totalActive} memories repeat one of ${exactClusters} others.`,
  },
  {
    ...repair,
    command: 'repair deduplicate',
    route: 'POST /api/repair/deduplicate',
    summary: 'Merge memories with equal contents',
    examples: [
      'reverie repair deduplicate --dry-run',
      'reverie repair deduplicate --dry-run --semantic --threshold 0.97',
    ],
    options: { semanticEnabled: 'semantic', semanticThreshold: 'threshold' },
    repeats: true,
  },
  {
    ...repair,
    command: 'repair relink-entities',
    route: 'POST /api/repair/relink-entities',
    summary: 'Link memories to the entities that their texts name',
    examples: ['reverie repair relink-entities --dry-run'],
    repeats: true,
  },
  {
    ...repair,
    command: 'repair resync-vec',
    route: 'POST /api/repair/resync-vec',
    summary: 'Let the search index read all vectors again',
    repeats: true,
  },
  {
    ...repair,
    command: 'repair rebuild-indexes',
    route: 'POST /api/repair/rebuild-indexes',
    summary: 'Rebuild the indexes of the database',
    repeats: true,
  },
  {
    command: 'repair integrity-check',
    route: 'GET /api/repair/integrity-check',
    summary: 'Check the pages of the database file',
    timeoutMs: 600_000,
  },
  {
    command: 'repair runs',
    route: 'GET /api/repair/runs',
    summary: 'List the runs of repairs, the newest first',
    examples: ['reverie repair runs', 'reverie repair runs --name clean-orphans --state failed'],
    columns: {
      id: 'id',
      name: 'name',
      state: 'state',
      affected: 'affected',
      actor: 'actor',
      started: 'startedAt',
      message: ({ message }) => toLine(String(message), 60),
    },
    empty: 'No repair ran in the last 90 days.',
  },
  {
    command: 'repair show',
    route: 'GET /api/repair/runs/:id',
    summary: 'Show a run of a repair with its progress',
    examples: ['reverie repair show 0195f3a0'],
    noun: 'run',
    listedBy: 'reverie repair runs',
  },
]

function renderResult({ message, details }: Row): string {
  const { isComplete = true } = Object(details)
  const more = isComplete ? '' : `\n  ${colors.dim('More remains: run it again, or pass --all.')}`
  return `${colors.green('✓')} ${toLine(String(message), 400)}${more}`
}
