import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'
import { isNoSourceRow } from './source-nodes.ts'

export interface GraphTotals {
  /** Live rows. */
  readonly entities: number
  readonly claims: number
  readonly links: number
  /** Rows of these kinds whose evidence is forgotten. */
  readonly withheld: number
  /** Active claims without a live citation. */
  readonly claimsWithoutCitation: number
}

/** Rows that one query reads, so that other queries go between. */
const defaultSliceRows = 5_000

/** Counts the graphs of all agents. Reads all rows of three tables, in slices. */
export async function countTotals(db: Db, sliceRows = defaultSliceRows): Promise<GraphTotals> {
  const entities = await countStates(db, 'entities', sliceRows)
  const claims = await countStates(db, 'entityAttributes', sliceRows)
  const links = await countStates(db, 'entityDependencies', sliceRows)
  return {
    entities: entities.live,
    claims: claims.live,
    links: links.live,
    withheld: entities.withheld + claims.withheld + links.withheld,
    claimsWithoutCitation: claims.uncited,
  }
}

type StateTable = 'entities' | 'entityAttributes' | 'entityDependencies'

async function countStates(db: Db, table: StateTable, limit: number) {
  const total = { live: 0, withheld: 0, uncited: 0 }
  let after: string | null = ''
  while (after !== null) {
    const slice: Slice = await readSlice(db, { table, after, limit })
    total.live += Number(slice.live ?? 0)
    total.withheld += Number(slice.withheld)
    total.uncited += Number(slice.uncited ?? 0)
    after = Number(slice.count) < limit ? null : slice.last
  }
  return total
}

interface Slice {
  readonly count: number | string
  readonly last: string | null
  /** Sums over no rows are null. */
  readonly live: number | string | null
  readonly withheld: number | string
  readonly uncited: number | string | null
}

const isLive = sql<SqlBool>`slice.status = 'active' and slice.withheld_at is null`
const isUncited = sql<SqlBool>`${isLive} and ${isNoSourceRow('slice.id')} and not exists
  (select 1 from knowledge_citations where knowledge_citations.subject_id = slice.id
    and subject_type = 'claim' and lost_at is null)`
const sumIf = (condition: Expression<SqlBool>) =>
  sql<number | string | null>`sum(case when ${condition} then 1 else 0 end)`

interface SlicePage {
  readonly table: StateTable
  readonly after: string
  readonly limit: number
}

function readSlice(db: Db, { table, after, limit }: SlicePage): Promise<Slice> {
  const slice = tables(db)
    .selectFrom(table as 'entities')
    .select(['id', 'status', 'withheldAt'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
  return tables(db)
    .selectFrom(slice.as('slice'))
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.max('slice.id').as('last'),
      sumIf(isLive).as('live'),
      fn.count<number | string>('slice.withheldAt').as('withheld'),
      sumIf(table === 'entityAttributes' ? isUncited : sql<SqlBool>`1 = 0`).as('uncited'),
    ])
    .executeTakeFirstOrThrow()
}
