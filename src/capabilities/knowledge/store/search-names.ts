import { type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { Entity } from '../entity.ts'
import { tables } from './rows.ts'

export interface EntityPage {
  readonly agentId: string
  /** A part of the name. */
  readonly canonicalPart: string | undefined
  readonly entityType: string | undefined
  readonly pinned?: boolean
  readonly limit: number
  readonly offset: number
}

/** Pinned entities first, then the most mentioned. */
export function listEntities(db: Db, page: EntityPage): Promise<Entity[]> {
  const { canonicalPart, entityType } = page
  return live(db, page.agentId)
    .$if(canonicalPart !== undefined, (query) =>
      query.where(contains(db, 'canonical_name', canonicalPart ?? '')),
    )
    .$if(entityType !== undefined, (query) => query.where('entityType', '=', entityType ?? ''))
    .$if(page.pinned === true, (query) => query.where('pinned', '=', 1))
    .orderBy('pinned', 'desc')
    .orderBy('pinnedAt', 'desc')
    .orderBy('mentions', 'desc')
    .orderBy('updatedAt', 'desc')
    .orderBy('name')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** The best entity whose name begins with the text, else one that contains it. */
export function findByPart(db: Db, agentId: string, part: string): Promise<Entity | undefined> {
  return live(db, agentId)
    .where(contains(db, 'canonical_name', part))
    .orderBy((eb) => eb.case().when(begins('canonical_name', part)).then(0).else(1).end())
    .orderBy('mentions', 'desc')
    .orderBy('updatedAt', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

function live(db: Db, agentId: string) {
  return tables(db)
    .selectFrom('entities')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('status', '=', 'active')
    .where('withheldAt', 'is', null)
}

/** Wildcard characters have no meaning. */
function contains(db: Db, column: string, part: string) {
  return engineOf(db) === 'postgres'
    ? sql<SqlBool>`strpos(${sql.ref(column)}, ${part}) > 0`
    : sql<SqlBool>`instr(${sql.ref(column)}, ${part}) > 0`
}

function begins(column: string, part: string) {
  const length = sql.lit([...part].length)
  return sql<SqlBool>`substr(${sql.ref(column)}, 1, ${length}) = ${part}`
}
