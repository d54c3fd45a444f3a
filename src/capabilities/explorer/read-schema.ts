import type { z } from 'zod'
import {
  type CatalogueTable,
  findBlockedReason,
  groups,
  toGroup,
  withoutShadows,
} from './catalogue.ts'
import type { ExplorerNeeds } from './needs.ts'
import type { schemaReply } from './schemas.ts'
import { countRows, readCatalogue, runReadOnly } from './store/rows.ts'

/** A larger table is not counted to its end. */
const maxCount = 1_000_000
const cacheMs = 60_000

export type CountTable = (name: string) => Promise<RowCount>

interface RowCount {
  readonly rowCount: number | null
  readonly rowCountAtLeast?: number
}

/** Counts a table at most once a minute. */
export function createCounter({ background, host }: ExplorerNeeds): CountTable {
  const counts = new Map<string, { readonly count: RowCount; readonly at: number }>()
  return async (name) => {
    const now = host.now().getTime()
    const cached = counts.get(name)
    if (cached && Math.abs(now - cached.at) < cacheMs) return cached.count
    const count = await countTable(background, name)
    counts.set(name, { count, at: now })
    return count
  }
}

async function countTable(db: ExplorerNeeds['background'], name: string): Promise<RowCount> {
  try {
    const count = await runReadOnly(db, (db) => countRows(db, name, maxCount))
    return count > maxCount ? { rowCount: null, rowCountAtLeast: maxCount } : { rowCount: count }
  } catch {
    // The table was dropped, its extension is missing, or the time is over.
    return { rowCount: null }
  }
}

type SchemaReply = z.input<typeof schemaReply>

export async function readSchema(
  { background, host }: ExplorerNeeds,
  count: CountTable,
): Promise<SchemaReply> {
  const tables: SchemaReply['tables'] = []
  for (const table of withoutShadows(await readCatalogue(background)))
    tables.push(toTable(table, await count(table.name)))
  const total = (group: string) => tables.filter((table) => table.group === group).length
  return {
    generatedAt: host.now().toISOString(),
    groups: Object.fromEntries(
      groups.map((group) => [group, total(group)]),
    ) as SchemaReply['groups'],
    tables,
  }
}

function toTable(table: CatalogueTable, count: RowCount): SchemaReply['tables'][number] {
  const reason = findBlockedReason(table)
  const { name, kind, columns, indexes, foreignKeys, sql } = table
  return {
    name,
    group: toGroup(name),
    kind,
    ...count,
    sampleAllowed: reason === undefined,
    ...(reason !== undefined && { sampleBlockedReason: reason }),
    columns: [...columns],
    indexes: indexes.map((index) => ({ ...index, columns: [...index.columns] })),
    foreignKeys: [...foreignKeys],
    sql,
  }
}
