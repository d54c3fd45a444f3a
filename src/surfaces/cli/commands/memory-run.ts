import { text as readText } from 'node:stream/consumers'
import type { Forgotten, MemoryRow, RecalledRow, Recovered, Updated } from '../../../client/wire.ts'
import { neutralize } from '../../../kernel/hygiene/neutralize.ts'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'
import { nameMissing } from '../missing.ts'
import { toLine } from '../output.ts'
import { renderTable } from '../table.ts'

interface Described {
  readonly tags?: string
  readonly importance?: number
  readonly type?: string
  readonly pin?: boolean
}

export interface Writing extends Described {
  readonly project?: string
  readonly who?: string
}

export interface Filters {
  readonly limit?: number
  readonly project?: string
  readonly type?: string
  readonly tags?: string
  readonly who?: string
  readonly since?: string
  readonly until?: string
  readonly asOf?: string
  readonly explain?: boolean
}

export interface Page {
  readonly limit?: number
  readonly offset?: number
}

export interface Because {
  readonly reason: string
  readonly force?: boolean
}

export interface Changes extends Described, Because {
  readonly unpin?: boolean
}

export async function remember({ args, options, output, connect }: Call<Writing>): Promise<void> {
  const content = args[0] === '-' ? await readText(process.stdin) : (args[0] ?? '')
  if (content.trim() === '')
    throw new CliError('usage', 'empty', 'there is nothing to remember', 'Say what, or pipe it in.')
  const { tags, importance, type, pin: pinned, project, who } = options
  const body = { content, tags, importance, type, pinned, project, who }
  const saved = await (await connect()).memory.remember(body)
  output.result(saved, () => {
    const deed = saved.deduped ? 'Known already' : 'Remembered'
    return `${colors.green('✓')} ${deed}: ${toLine(saved.content)}\n  ${colors.dim(saved.id)}`
  })
}

export async function recall({ args, options, output, connect }: Call<Filters>): Promise<void> {
  const { limit, project, type, tags, who, since, until, asOf, explain } = options
  const filters = { limit, project, type, tags, who, since, until }
  const body = { query: args[0] ?? '', ...filters, asOf, explain }
  const found = await (await connect()).memory.recall(body)
  output.result(found, () =>
    found.results.length === 0
      ? 'Nothing is remembered about that. Fewer words or other ones may find more.'
      : found.results.map(renderHit).join('\n'),
  )
}

export async function list({ options, output, connect }: Call<Page>): Promise<void> {
  const { limit, offset } = options
  const page = await (await connect()).memory.list({ limit, offset })
  output.result(page, () => {
    if (page.memories.length > 0)
      return `${renderRows(page.memories)}\n${page.memories.length} of ${page.stats.total} memories`
    return page.stats.total > 0
      ? `There are ${page.stats.total} memories, and none so far down.`
      : 'No memories yet. Keep the first one:\n  $ reverie remember "I like my tea green"'
  })
}

export async function show({ args: [id = ''], output, connect }: Call): Promise<void> {
  const memory = await named(id, (await connect()).memory.read(id))
  output.result(memory, () => {
    const fields = Object.entries(memory).filter(
      ([name, value]) => value !== null && name !== 'content',
    )
    const lines = fields.map(([name, value]) => {
      const written = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return `${colors.dim(name.padEnd(18))} ${neutralize(written)}`
    })
    return `${neutralize(memory.content)}\n\n${lines.join('\n')}`
  })
}

export async function history({ args: [id = ''], output, connect }: Call): Promise<void> {
  const reply = await named(id, (await connect()).memory.history(id))
  output.result(reply, () =>
    renderTable(
      ['when', 'what', 'by', 'why'],
      reply.history.map(({ createdAt, event, changedBy, reason }) => [
        createdAt,
        event,
        changedBy,
        reason ?? '',
      ]),
    ),
  )
}

export async function update({ args: [id = ''], options, ...rest }: Call<Changes>): Promise<void> {
  const { reason, tags, importance, type, pin, unpin } = options
  if ([tags, importance, type, pin, unpin].every((change) => change === undefined))
    throw new CliError('usage', 'no_change', 'nothing to change', 'See: reverie update --help')
  const pinned = unpin ? false : pin
  const body = { reason, tags, importance, type, pinned }
  sayChanged(rest, await named(id, (await rest.connect()).memory.update(id, body)))
}

export async function forget({ args: [id = ''], options, ...rest }: Call<Because>): Promise<void> {
  const { reason, force } = options
  sayChanged(rest, await named(id, (await rest.connect()).memory.forget(id, { reason, force })))
}

export async function recover({ args: [id = ''], options, ...rest }: Call<Because>): Promise<void> {
  const { reason } = options
  sayChanged(rest, await named(id, (await rest.connect()).memory.recover(id, { reason })))
}

function named<Reply>(id: string, asking: Promise<Reply>): Promise<Reply> {
  return nameMissing(asking, {
    what: `memory ${id}`,
    hint: 'See which there are with: reverie list',
  })
}

type Changed = Updated | Forgotten | Recovered

const deeds: Readonly<Record<Changed['status'], string>> = {
  updated: 'Updated',
  deleted: 'Forgotten; it can be recovered for 30 days',
  recovered: 'Recovered',
  no_changes: 'It was so already',
}

function sayChanged({ output }: Pick<Call, 'output'>, changed: Changed): void {
  output.result(
    changed,
    () => `${colors.green('✓')} ${deeds[changed.status]}\n  ${colors.dim(changed.id)}`,
  )
}

/** As wide as a score and what follows it. */
const margin = ' '.repeat(6)

function renderHit(row: RecalledRow): string {
  const { score, content, type, created_at, tags, explain } = row
  const about = [memoryIdOf(row), type, created_at.slice(0, 10), tags].filter(Boolean).join(' · ')
  // No line of a memory looks like another hit.
  const told = neutralize(content).replaceAll('\n', `\n${margin}`)
  const hit = `${colors.cyan(score.toFixed(2))}  ${told}\n${margin}${colors.dim(toLine(about))}`
  const stages = (explain?.stages ?? []).map(
    ({ name, score, reason = '' }) =>
      `${margin}${score.toFixed(3)} ${name}  ${colors.dim(toLine(reason))}`,
  )
  return [hit, ...stages].join('\n')
}

/** What `show` takes; undefined where the row tells of a session, or of anything else that is no memory. */
function memoryIdOf({ id, source, subject_type, subject_id }: RecalledRow): string | undefined {
  if (subject_type !== undefined) return subject_type === 'memory' ? subject_id : undefined
  return source === 'transcript' ? undefined : id
}

function renderRows(memories: readonly MemoryRow[]): string {
  const rows = memories.map(({ id, content, created_at, type, pinned, tags }) => [
    id,
    created_at.slice(0, 10),
    pinned ? `${type} ★` : type,
    toLine(content, 60),
    toLine(tags ?? '', 20),
  ])
  return renderTable(['id', 'kept', 'type', 'memory', 'tags'], rows)
}
