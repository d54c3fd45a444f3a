import { type SqlBool, sql } from 'kysely'
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

/** Counts the graphs of all agents. Scans three tables. */
export async function countTotals(db: Db): Promise<GraphTotals> {
  const entities = await countStates(db, 'entities')
  const claims = await countStates(db, 'entityAttributes')
  const links = await countStates(db, 'entityDependencies')
  return {
    entities: entities.live,
    claims: claims.live,
    links: links.live,
    withheld: entities.withheld + claims.withheld + links.withheld,
    claimsWithoutCitation: await countUncited(db),
  }
}

async function countStates(db: Db, table: 'entities' | 'entityAttributes' | 'entityDependencies') {
  const isLive = sql`status = 'active' and withheld_at is null`
  const { live, withheld } = await tables(db)
    .selectFrom(table)
    .select([
      sql<number | string | null>`sum(case when ${isLive} then 1 else 0 end)`.as('live'),
      sql<number | string>`count(withheld_at)`.as('withheld'),
    ])
    .executeTakeFirstOrThrow()
  return { live: Number(live ?? 0), withheld: Number(withheld) }
}

async function countUncited(db: Db): Promise<number> {
  const citation = tables(db)
    .selectFrom('knowledgeCitations')
    .select('subjectId')
    .where(sql<SqlBool>`knowledge_citations.subject_id = entity_attributes.id`)
    .where('subjectType', '=', 'claim')
    .where('lostAt', 'is', null)
  const { count } = await tables(db)
    .selectFrom('entityAttributes')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
    .where(isNoSourceRow('id'))
    .where(({ not, exists }) => not(exists(citation)))
    .executeTakeFirstOrThrow()
  return Number(count)
}
