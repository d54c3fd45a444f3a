import type { Client } from '../../client/client.ts'
import { type Call, option } from './command.ts'
import { CliError } from './failure.ts'
import { nameMissing, resolveId } from './ids.ts'
import { colors, type Output, toLine } from './output.ts'
import { type Row, renderRows, toRows } from './render.ts'

export const dryRun = option('--dry-run', 'show what would change, and change nothing')

export interface DryRunOptions {
  readonly dryRun?: boolean
}

export const entitySubject = { noun: 'entity', list: 'reverie entities list' }

export interface EvidenceOptions {
  readonly memory?: string
  readonly quote?: string
}

export const evidenceOptions = [
  option('--memory <id>', 'the memory that supports it'),
  option('--quote <text>', 'the words that support it'),
]

/** Undefined where the options name no evidence. */
export async function readEvidence({
  options: { memory, quote },
  connect,
}: Call<EvidenceOptions>): Promise<readonly Row[] | undefined> {
  if (memory === undefined) return quote ? [{ quote }] : undefined
  return [{ memory_id: await resolveId(await connect(), memory), quote }]
}

interface Change {
  readonly operation: string
  /** Undefined fields are left out. */
  readonly payload: Row
  readonly evidence?: readonly Row[] | undefined
  /** The name that an error reports as missing. */
  readonly name: string
}

/** Applies one operation and prints its effect; the title may depend on the reply. */
export async function applyChange(
  { options, output, connect }: Call<DryRunOptions>,
  { name, ...change }: Change,
  title: string | ((reply: Row) => string),
): Promise<void> {
  const client = await connect()
  const body = { ...change, dry_run: options.dryRun }
  const sending = client.call('POST /api/ontology/operations/apply', { body })
  const reply = Object(await nameMissing(name, sending, entitySubject)) as Row
  showChange(output, reply, typeof title === 'string' ? title : title(reply))
}

/** A reply with its title, or the changes of a dry run. */
export function showChange(output: Output, reply: Row, title: string): void {
  output.result(reply, () => renderChange(reply, title))
}

export function renderChange({ id, dryRun: isDry, changes }: Row, title: string): string {
  if (!isDry) return `${colors.green('✓')} ${title}${id ? `\n  ${colors.dim(String(id))}` : ''}`
  const rows = toRows(changes)
  return `${renderRows(rows.map(describeChange))}\n${rows.length} rows would change; nothing was changed`
}

function describeChange({ table, rowId, before, after }: Row): Row {
  const [old, next] = [Object(before), Object(after)]
  const kind = before === null ? 'create' : after === null ? 'delete' : 'update'
  const values = after === null ? old : next
  const changed = shownFields.filter(
    (name) => values[name] !== null && values[name] !== undefined && old[name] !== next[name],
  )
  const detail = changed.map((name) => `${name}=${toLine(String(values[name]), 60)}`).join(' ')
  const id = toLine(String(rowId), uuidLength)
  return { change: kind, table: toLine(String(table)), id: uuid.test(id) ? id : '', detail }
}

/** The fields by which a person knows a row. */
const shownFields = [
  'name',
  'entityType',
  'alias',
  'content',
  'groupKey',
  'claimKey',
  'dependencyType',
  'strength',
  'reason',
  'weight',
  'confidence',
  'importance',
  'pinned',
  'status',
  'sourceKind',
  'quote',
] as const
const uuidLength = 36

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The entity with this id, name or alias. A part of a name selects nothing: the caller writes. */
export async function findEntity(client: Client, text: string): Promise<Row> {
  const isId = uuid.test(text)
  const reading = isId
    ? client.call('GET /api/knowledge/entities/:id', { path: { id: text } })
    : client.call('GET /api/knowledge/navigation/entity', { query: { name: text } })
  const { entity } = Object(await nameMissing(text, reading, entitySubject))
  if (isId || fold(entity.name) === fold(text)) return entity
  const aliases = await listAliases(client, entity.id)
  if (aliases.some(({ alias }) => fold(alias) === fold(text))) return entity
  const hint = `Did you mean ${toLine(entity.name)}?`
  throw new CliError('not_found', 'not_found', `there is no entity ${text}`, hint)
}

export async function listAliases(client: Client, id: unknown): Promise<readonly Row[]> {
  const reply = await client.call('GET /api/ontology/entities/:id/aliases', { path: { id } })
  return toRows(Object(reply).items)
}

/** Compares names as the daemon does, apart from invisible characters. */
export function fold(name: unknown): string {
  return String(name).normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ')
}
