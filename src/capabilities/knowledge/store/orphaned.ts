import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** The tables that name memories. */
export const linkTables = ['mentions', 'citations'] as const
export type LinkTable = (typeof linkTables)[number]

/** Whether the memory in this column has a row, deleted or not. */
type IsStored = (column: Expression<string>) => Expression<SqlBool>

/** The rows of one table, with the memory that each names as `memoryId`. */
function links(db: Db, table: LinkTable) {
  return table === 'mentions'
    ? tables(db).selectFrom(
        tables(db)
          .selectFrom('memoryEntityMentions')
          .select(['memoryId', 'agentId'])
          .as('namedMemories'),
      )
    : tables(db).selectFrom(
        tables(db)
          .selectFrom('knowledgeCitations')
          .select(['sourceId as memoryId', 'agentId'])
          .where('sourceKind', '=', 'memory')
          .as('namedMemories'),
      )
}

interface OrphanPage {
  readonly table: LinkTable
  readonly after: string
  readonly limit: number
  readonly isStored: IsStored
}

/** Of the next memories that the graph names, those without a row. */
export async function listMissing(db: Db, { table, after, limit, isStored }: OrphanPage) {
  const page = links(db, table)
    .select('memoryId')
    .distinct()
    .where('memoryId', '>', after)
    .orderBy('memoryId')
    .limit(limit)
  // A condition in the page would be evaluated for all rows after it.
  const rows = await tables(db)
    .selectFrom(page.as('page'))
    .select('memoryId')
    .select(sql<SqlBool>`${isStored(sql.ref<string>('page.memoryId'))}`.as('isStored'))
    .orderBy('memoryId')
    .execute()
  return {
    ids: rows.filter((row) => !row.isStored).map((row) => row.memoryId),
    last: rows.length === limit ? (rows.at(-1)?.memoryId ?? null) : null,
  }
}

/** How many rows of a table name these memories, by agent. */
export function countByAgent(db: Db, table: LinkTable, ids: readonly string[]) {
  return links(db, table)
    .select(({ fn }) => ['agentId', fn.countAll<number | string>().as('count')])
    .where('memoryId', 'in', ids)
    .groupBy('agentId')
    .execute()
}

/** Memories that one query of a count reads, so that other queries go between. */
const defaultSliceMemories = 2_000

/** Counts the links to memories without a row. Reads both tables, in slices. */
export async function countOrphanedLinks(
  db: Db,
  isStored: IsStored,
  limit = defaultSliceMemories,
): Promise<number> {
  let orphaned = 0
  for (const table of linkTables) {
    let after: string | null = ''
    while (after !== null) {
      const page: OrphanPage = { table, after, limit, isStored }
      const missing: Missing = await listMissing(db, page)
      const counts = missing.ids.length > 0 ? await countByAgent(db, table, missing.ids) : []
      for (const { count } of counts) orphaned += Number(count)
      after = missing.last
    }
  }
  return orphaned
}

type Missing = Awaited<ReturnType<typeof listMissing>>
