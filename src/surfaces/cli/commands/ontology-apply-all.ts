import type { Client } from '../../../client/client.ts'
import { type Call, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { type DryRunOptions, fold } from '../graph-changes.ts'
import { payloadColumn } from '../knowledge-operations.ts'
import { colors, type Output, toLine } from '../output.ts'
import { showProgress } from '../progress.ts'
import { type ConfirmOptions, confirm } from '../prompts.ts'
import { type Row, renderRows, toRows } from '../render.ts'
import { renderConflicts } from '../render-graph.ts'

export interface ApplyAllOptions extends DryRunOptions, ConfirmOptions {
  readonly all?: boolean
  readonly operation?: string
  readonly entity?: string
}

export const applyAllOptions = [
  option('--all', 'apply all pending proposals, entities before links, after a preview'),
  option('--operation <name>', 'with --all: filter by operation, such as create_entity'),
  option('--entity <name>', 'with --all: filter by the name of an entity in the proposal'),
  option('--yes', 'with --all: skip the confirmation'),
]

const pageLength = 200
const maxShown = 30

/** Sends one proposal and returns its reply, or its refusal as `error` and `code`. */
type ApplyOne = (client: Client, id: string) => Promise<Row>

/** Applies the selected proposals. A refusal of one does not stop the others. */
export async function applyAll(call: Call<ApplyAllOptions>, apply: ApplyOne): Promise<Row[]> {
  const { options, output, connect } = call
  const client = await connect()
  const proposals = await listPending(client, options)
  if (proposals.length === 0) return []
  output.note(await describe(client, proposals))
  const proposalCount = count(proposals.length, 'proposal')
  if (!options.dryRun)
    await confirm(call, {
      message: `Apply ${proposalCount}?`,
      refusal: `${proposalCount} would be applied; nothing was changed`,
      hint: 'Apply them with --yes, or try them with --dry-run.',
      declined: 'nothing was changed',
    })
  return applyEach(output, proposals, (id) => apply(client, id))
}

async function applyEach(
  output: Output,
  proposals: readonly Row[],
  apply: (id: string) => Promise<Row>,
): Promise<Row[]> {
  const progress = await showProgress(output, 'Applying', proposals.length)
  const results: Row[] = []
  try {
    for (const { id, operation, payload } of proposals) {
      results.push({ operation, payload, ...(await apply(String(id))) })
      progress.advance(1)
    }
  } finally {
    progress.stop()
  }
  return results
}

const entityOperations = ['create_entity', 'create_interface', 'create_action_type']
const linkOperations = ['create_link', 'attach_interface']

/** A claim creates its entity, and a link needs both of its entities. */
function rankOf({ operation }: Row): number {
  if (entityOperations.includes(String(operation))) return 0
  return linkOperations.includes(String(operation)) ? 2 : 1
}

/** Entities before claims before links, and the oldest of each first. */
async function listPending(
  client: Client,
  { operation, entity }: ApplyAllOptions,
): Promise<readonly Row[]> {
  const rowsById = new Map<unknown, Row>()
  for (let offset = 0; ; offset += pageLength) {
    const query = { status: 'pending', operation, limit: pageLength, offset }
    const page = toRows(Object(await client.call('GET /api/ontology/proposals', { query })).items)
    for (const row of page) rowsById.set(row['id'], row)
    if (page.length < pageLength) break
  }
  const proposals = [...rowsById.values()].reverse().toSorted((a, b) => rankOf(a) - rankOf(b))
  if (entity === undefined) return proposals
  return proposals.filter(({ payload }) => namesOf(payload).some((name) => name === fold(entity)))
}

/** The fields of a payload that name an entity; a list names several. */
const nameFields = ['entity', 'name', 'source_entity', 'target_entity', 'interface', 'target']

function namesOf(payload: unknown): readonly string[] {
  const fields = Object(payload)
  const names = [...nameFields.map((field) => fields[field]), fields.sources].flat()
  return names.filter((name) => typeof name === 'string').map(fold)
}

/** The proposals, and which of them give different values to one claim. */
async function describe(client: Client, proposals: readonly Row[]): Promise<string> {
  const table = renderRows(proposals.slice(0, maxShown), {
    operation: 'operation',
    confidence: 'confidence',
    ...payloadColumn,
  })
  const more = proposals.length - maxShown
  const ids = new Set(proposals.map(({ id }) => id))
  const { items } = Object(await client.call('GET /api/ontology/proposals/conflicts'))
  const conflicts = toRows(items).filter(({ values }) =>
    toRows(values).some(({ proposalId }) => ids.has(proposalId)),
  )
  return [
    table,
    ...(more > 0 ? [`and ${more} more: ${summarize(proposals)}`] : []),
    ...(conflicts.length > 0
      ? [`\nPending values that differ:\n${renderConflicts({ items: conflicts })}`]
      : []),
  ].join('\n')
}

/** Such as `12 create_entity, 3 create_link`. */
function summarize(proposals: readonly Row[]): string {
  const groups = Object.entries(Object.groupBy(proposals, ({ operation }) => String(operation)))
  return groups.map(([operation, rows = []]) => `${rows.length} ${toLine(operation)}`).join(', ')
}

/** One line for each refusal, then the counts. */
export function renderAll(results: readonly Row[], isDry = false): string {
  if (results.length === 0)
    return 'No pending proposal matches. List all: reverie ontology proposals'
  const lines = results
    .filter(({ error }) => error !== undefined)
    .map(({ id, operation, error }) => `${colors.red('✗')} ${operation} ${id}: ${error}`)
  const done = results.length - lines.length
  const title = isDry
    ? `${done} of ${count(results.length, 'proposal')} can be applied; nothing was changed`
    : `${colors.green('✓')} Applied ${done} of ${count(results.length, 'proposal')}`
  return [...lines, title].join('\n')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Ids and `--all` exclude each other; the filters belong to `--all`. */
export function assertSelection({ args, options }: Call<ApplyAllOptions>): void {
  const { all = false, operation, entity } = options
  if (all !== args.length > 0 && (all || (operation ?? entity) === undefined)) return
  throw new CliError('usage', 'usage', 'pass either ids or --all', 'reverie ontology apply --help')
}
