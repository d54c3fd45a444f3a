import { readMemories } from '../../../client/client.ts'
import type { MemoryRow } from '../../../client/wire.ts'
import { type Call, command, option } from '../command.ts'
import { toLine } from '../output.ts'
import { renderTable } from '../render.ts'
import { toLocalDate } from '../times.ts'
import { type FilterOptions, filters, limit, toFilter } from './memory-options.ts'

interface PageOptions extends FilterOptions {
  readonly limit?: number
  readonly offset?: number
}

export const list = command<PageOptions>({
  usage: 'list',
  aliases: ['ls', 'memories'],
  summary: 'List memories, newest first',
  options: [
    limit,
    option('--offset <n>', 'number of results to skip', { type: 'count' }),
    ...filters,
  ],
  examples: [
    'reverie list --limit 20',
    'reverie list --project garden --tags db,ops --since 7d',
    'reverie list --offset 100 --json',
  ],
  run: listMemories,
})

async function listMemories({ options, output, connect }: Call<PageOptions>): Promise<void> {
  const { limit, offset } = options
  const filter = toFilter(options)
  const page = await readMemories(await connect(), { limit, offset, ...filter })
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const { total } = page.stats
  output.result(page, () => {
    const { length } = page.memories
    if (length > 0)
      return `${renderMemories(page.memories)}\n${isFiltered ? `${length} memories` : `${length} of ${total} memories`}`
    return explainEmpty({ total, isFiltered, offset: offset ?? 0 })
  })
}

interface EmptyPage {
  readonly total: number
  readonly isFiltered: boolean
  readonly offset: number
}

function explainEmpty({ total, isFiltered, offset }: EmptyPage): string {
  if (total === 0)
    return 'No memories yet. Store the first one:\n  $ reverie remember "I like my tea green"'
  if (offset === 0) return `No memory of ${total} matches these filters.`
  return isFiltered
    ? `No memory matches these filters at offset ${offset}. Pass a smaller --offset.`
    : `The offset ${offset} is beyond the last of ${total} memories. Pass a smaller --offset.`
}

export function renderMemories(memories: readonly MemoryRow[]): string {
  const rows = memories.map(({ id, content, created_at, type, pinned, tags }) => [
    id,
    toLocalDate(created_at),
    pinned ? `${type} ★` : type,
    toLine(content, 60),
    toLine(tags ?? '', 20),
  ])
  return renderTable(['id', 'created', 'type', 'memory', 'tags'], rows)
}
