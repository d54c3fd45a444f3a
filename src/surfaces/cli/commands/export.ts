import { open, rename, rm } from 'node:fs/promises'
import { type Client, readMemories } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import type { Replies } from '../../../client/wire.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { type Call, command } from '../command.ts'
import { colors } from '../output.ts'
import { busyWith, eachConcurrently } from '../progress.ts'
import { type FilterOptions, filters, toFilter } from './memory-options.ts'

const pageSize = 500
const readConcurrency = 16

type Write = (text: string) => Promise<void>

export const exportMemories = command<FilterOptions>({
  usage: 'export <file>',
  summary: 'Write memories to a file, one per line; - writes to stdout',
  options: filters,
  examples: [
    'reverie export memories.jsonl',
    'reverie export garden.jsonl --project garden --since "2 weeks ago"',
    'reverie export - | gzip > memories.jsonl.gz',
  ],
  run: exportTo,
})

async function exportTo(call: Call<FilterOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const [file = '-'] = args
  const filter = toFilter(options)
  const client = await connect()
  if (file === '-') {
    const memories = await writeAll(client, filter, output.write)
    return output.note(toCount(memories, 'memory'))
  }
  const memories = await busyWith(output, 'Exporting', () =>
    writeAtomically(file, (write) => writeAll(client, filter, write)),
  )
  const summary = { file, memories }
  output.result(
    summary,
    () => `${colors.green('✓')} ${toCount(memories, 'memory')} written to ${file}`,
  )
}

async function writeAll(client: Client, filter: object, write: Write): Promise<number> {
  let count = 0
  let before: ReadonlySet<string> = new Set()
  for (let offset = 0; ; offset += pageSize) {
    const query = { ...filter, limit: pageSize, offset, allScopes: true }
    const { memories } = await readMemories(client, query)
    // Memories stored in between move the last ones of a page into the next.
    const ids = memories.map(({ id }) => id).filter((id) => !before.has(id))
    const lines = Array.from<string | undefined>({ length: ids.length })
    await eachConcurrently(ids, readConcurrency, async (id, index) => {
      lines[index] = await readLine(client, id)
    })
    const existing = lines.filter((line) => line !== undefined)
    if (existing.length > 0) await write(existing.join(''))
    count += existing.length
    if (memories.length < pageSize) return count
    before = new Set(memories.map(({ id }) => id))
  }
}

/** Undefined for a memory that was forgotten since it was listed. */
async function readLine(client: Client, id: string): Promise<string | undefined> {
  try {
    const record = await client.call('GET /api/memory/:id', { path: { id } })
    return `${JSON.stringify(toRememberBody(record))}\n`
  } catch (error) {
    if (error instanceof ReverieError && error.status === 404) return undefined
    throw error
  }
}

/** The request that would store the same memory; null values are omitted. */
function toRememberBody(record: Replies['GET /api/memory/:id']): Record<string, unknown> {
  const { id, content, pinned, visibility } = record
  const body = {
    content: escapePrefix(content),
    who: record.who,
    project: record.project,
    type: record.type,
    importance: record.importance,
    tags: record.tags ?? '',
    pinned: Boolean(pinned),
    sourceType: record.source_type,
    sourceId: record.source_id,
    sourcePart: record.source_part,
    sourcePath: record.source_path,
    runtimePath: record.runtime_path,
    idempotencyKey: record.idempotency_key ?? `export:${id}`,
    createdAt: record.created_at,
    reviewAfter: record.review_after,
    visibility: visibility === 'global' ? 'global' : 'private',
    scope: record.scope,
    agentId: record.agent_id,
    sessionId: record.session_id,
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value != null))
}

/** An outer prefix keeps a content that starts like a prefix from being parsed as one. */
function escapePrefix(content: string): string {
  return /^(critical:|\[[^\]]+\]:)/i.test(content) ? `critical: [-]: ${content}` : content
}

/** The file appears when it is complete, or not at all. */
export async function writeAtomically<Result>(
  file: string,
  produce: (write: Write) => Promise<Result>,
) {
  const unfinished = `${file}.${process.pid}.part`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    const result = await produce((text) => handle.appendFile(text))
    await handle.sync()
    await handle.close()
    await rename(unfinished, file)
    return result
  } catch (error) {
    await handle.close()
    await rm(unfinished, { force: true })
    throw error
  }
}
