import { neutralize } from '../../kernel/redaction/neutralize.ts'
import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { type Columns, toRows } from './render.ts'
import { passColumns, renderDreamStatus, renderPass, renderQuality } from './render-dream.ts'

const sampleId = '0195f3a0'
const ofPass = { noun: 'pass', listedBy: 'reverie dream passes' }
const positionsOption = { only: 'positions of operations, such as 1,3-5; default: all' }
const attentionColumns: Columns = {
  kind: 'kind',
  subject: 'subjectRef',
  priority: 'priority',
  details: ({ details }) =>
    toLine(
      Object.entries(Object(details))
        .map(([name, text]) => `${name}=${text}`)
        .join(' '),
      80,
    ),
  id: 'id',
}

/** The commands of Dreaming that send one request. */
export const dreamOperations: readonly Operation[] = [
  {
    command: 'dream status',
    after: 'dream run',
    route: 'GET /api/dream/status',
    summary: 'Show the backlog, the schedule, the budgets and what waits for a decision',
    render: renderDreamStatus,
  },
  {
    command: 'dream passes',
    after: 'dream status',
    route: 'GET /api/dream/passes',
    summary: 'List passes, the newest first',
    options: { id_prefix: null, before: 'before' },
    descriptions: { before: 'the id of a pass: list older ones' },
    list: 'items',
    columns: passColumns,
    empty: 'No pass has run. Plan one: reverie dream --preview',
  },
  {
    command: 'dream show',
    after: 'dream passes',
    route: 'GET /api/dream/passes/:passId',
    summary: 'Show a pass as a diff with its quotes',
    examples: [`reverie dream show ${sampleId}`],
    ...ofPass,
    render: renderPass,
  },
  {
    command: 'dream apply',
    after: 'dream show',
    route: 'POST /api/dream/passes/:passId/apply',
    summary: 'Apply the plan of a pass, all or parts of it',
    examples: [`reverie dream apply ${sampleId}`, `reverie dream apply ${sampleId} --only 0,2-4`],
    descriptions: positionsOption,
    ...ofPass,
    render: ({ items }) =>
      toRows(items)
        .map(({ position, state, error }) => {
          const sign = state === 'failed' ? colors.red('✗') : colors.green('✓')
          return `${sign} ${position} ${state}${error === null ? '' : `: ${toLine(String(error))}`}`
        })
        .join('\n'),
  },
  {
    command: 'dream discard',
    after: 'dream apply',
    route: 'POST /api/dream/passes/:passId/discard',
    summary: 'Reject the plan of a pass, all or parts of it; the same words do not bring it back',
    examples: [`reverie dream discard ${sampleId}`, `reverie dream discard ${sampleId} --only 1`],
    descriptions: { ...positionsOption, reason: 'reason for the history' },
    ...ofPass,
    render: ({ rejected }) => `${colors.green('✓')} Rejected: ${[rejected].flat().length}`,
  },
  {
    command: 'dream undo',
    after: 'dream discard',
    route: 'POST /api/dream/passes/:passId/undo',
    summary: 'Undo a pass, all or parts of it',
    examples: [
      `reverie dream undo ${sampleId} --dry-run`,
      `reverie dream undo ${sampleId} --only 2`,
      `reverie dream undo ${sampleId} --partial`,
    ],
    options: { dry_run: null, dryRun: 'dry-run' },
    descriptions: {
      ...positionsOption,
      partial: 'leave operations whose rows have changed since',
      dryRun: 'show what would be undone, and change nothing',
      reason: 'reason for the history',
    },
    ...ofPass,
    render: ({ undone, kept, dryRun }) => {
      const title = dryRun ? 'Would undo' : 'Undone'
      const rest = toRows(kept).map(({ position, error }) => `  left ${position}: ${error}`)
      return [`${colors.green('✓')} ${title}: ${[undone].flat().length}`, ...rest].join('\n')
    },
  },
  {
    command: 'dream cancel',
    after: 'dream undo',
    route: 'POST /api/dream/passes/:passId/cancel',
    summary: 'Cancel a running pass; it writes nothing',
    examples: [`reverie dream cancel ${sampleId}`],
    ...ofPass,
  },
  {
    command: 'dream attention',
    after: 'dream cancel',
    route: 'GET /api/dream/status',
    summary: 'List what a person or a model should look at, the most urgent first',
    list: 'attention',
    columns: attentionColumns,
    empty: 'Nothing waits for attention.',
  },
  {
    command: 'dream exclusions',
    after: 'dream attention',
    route: 'GET /api/dream/status',
    summary: 'List sources that passes leave out',
    list: 'exclusions',
    columns: {
      kind: 'sourceKind',
      id: 'sourceId',
      reason: 'reason',
      since: 'excludedAt',
      requeued: 'requeueRequestedAt',
    },
    empty: 'No source is left out.',
  },
  {
    command: 'dream requeue',
    after: 'dream exclusions',
    route: 'POST /api/dream/exclusions/requeue',
    summary: 'Let passes read a source again that they leave out',
    examples: [`reverie dream requeue memory ${sampleId}-1111-7222-8333-444455556666`],
    arguments: ['sourceKind', 'sourceId'],
    noun: 'source',
    listedBy: 'reverie dream exclusions',
    render: ({ sourceKind, sourceId }) =>
      `${colors.green('✓')} The next pass reads ${sourceKind}:${toLine(String(sourceId))}`,
  },
  {
    command: 'dream quality',
    after: 'dream requeue',
    route: 'GET /api/dream/quality',
    summary: 'Measure how well the graph is cited, named and structured',
    render: renderQuality,
  },
  {
    command: 'dream pages',
    after: 'dream quality',
    route: 'GET /api/dream/pages',
    summary: 'List the pages of quotes about entities',
    list: 'items',
    columns: { name: 'name', claims: 'claims', updated: 'updatedAt' },
    empty: 'No entity has a page. A page needs claims from three sources on two occasions.',
  },
  {
    command: 'dream page',
    after: 'dream pages',
    route: 'GET /api/dream/pages/:name',
    summary: 'Show what the evidence says about an entity, quote by quote',
    examples: ['reverie dream page "Ines Calloway"'],
    noun: 'page',
    listedBy: 'reverie dream pages',
    render: ({ text }) => neutralize(String(text)),
  },
  {
    command: 'dream tools',
    after: 'dream page',
    route: 'GET /api/dream/tools',
    summary: 'List the capabilities that models and programs call',
    list: 'items',
    columns: { id: 'id', readOnly: 'readOnly', title: 'title', description: 'description' },
  },
  {
    command: 'dream call',
    after: 'dream tools',
    route: 'POST /api/dream/tools/:capability',
    summary: 'Run a capability',
    examples: [`reverie dream call search_entities --input '{"query": "atlas"}'`],
    descriptions: {
      input: 'fields of the capability; JSON, @FILE, or - for stdin',
      passId: 'the running pass, for runbook_write',
    },
    options: { actor: null, passId: 'pass-id' },
    noun: 'capability',
    listedBy: 'reverie dream tools',
    render: (reply) => JSON.stringify(reply, null, 2),
  },
]
