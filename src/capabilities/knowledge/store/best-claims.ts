import { type Expression, type SqlBool, sql } from 'kysely'
import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { Claim } from '../claim.ts'
import { type Step, selectReached } from './focal.ts'
import { tables } from './rows.ts'

const columns = [
  'id',
  'entityId',
  'memoryId',
  'kind',
  'content',
  'groupKey',
  'claimKey',
  'confidence',
  'importance',
  'status',
  'sourceKind',
] as const

/** What recall and hooks read of a claim, with the name of its aspect. */
export type FocalClaim = Pick<Claim, (typeof columns)[number]> & { readonly aspectName: string }

interface Page {
  readonly entityIds: readonly string[]
  /** For each entity. */
  readonly limit: number
}

/** The best active claims of each entity, the most important first. */
export async function listBestClaims(
  db: Db,
  agentId: string,
  page: Page,
): Promise<readonly FocalClaim[]> {
  if (page.entityIds.length === 0) return []
  return (await selectBest(db, { agentId, ...page })).toSorted(byImportance)
}

/** The best active claims of each entity that the strongest links of these lead to, in two steps. */
export async function listReachedClaims(
  db: Db,
  agentId: string,
  page: Page & Step,
): Promise<readonly FocalClaim[]> {
  return page.entityIds.length === 0 ? [] : selectReachedClaims(db, { agentId, ...page })
}

export function byImportance(a: FocalClaim, b: FocalClaim): number {
  return b.importance - a.importance || (a.id < b.id ? -1 : 1)
}

type Best = Page & { readonly agentId: string }

const selectBest = compileSelectOnce((db, values: Best) =>
  claimsOf(db, values, sql`focal.id in (${sql.join(values.entityIds)})`),
)

const selectReachedClaims = compileSelectOnce((db, values: Best & Step) =>
  claimsOf(db, values, sql`focal.id in ${selectReached(db, values)}`),
)

type IsFocal = Expression<SqlBool>

/** Reads the claims of each entity in the order of the index, and stops at the limit. */
const claimsOf = (db: Db, values: Best, isFocal: IsFocal) =>
  engineOf(db) === 'postgres'
    ? selectLateral(db, values, isFocal)
    : selectByRow(db, values, isFocal)

const selectLateral = (db: Db, values: Best, isFocal: IsFocal) =>
  tables(db)
    .selectFrom('entities as focal')
    .crossJoinLateral(
      rankClaims(db, values)
        .innerJoin('entityAspects as aspect', 'aspect.id', 'claim.aspectId')
        .select(columns.map((column) => `claim.${column}` as const))
        .select('aspect.name as aspectName')
        .as('best'),
    )
    .select(columns.map((column) => `best.${column}` as const))
    .select('best.aspectName')
    .where(isFocal)

/** SQLite has no lateral joins. */
const selectByRow = (db: Db, values: Best, isFocal: IsFocal) =>
  tables(db)
    .selectFrom('entities as focal')
    .crossJoin('entityAttributes as best')
    .innerJoin('entityAspects as aspect', 'aspect.id', 'best.aspectId')
    .select(columns.map((column) => `best.${column}` as const))
    .select('aspect.name as aspectName')
    .where(isFocal)
    .where(sql<SqlBool>`best.rowid in ${rankClaims(db, values).select(sql`claim.rowid`.as('row'))}`)

const rankClaims = (db: Db, { agentId, limit }: Omit<Best, 'entityIds'>) =>
  tables(db)
    .selectFrom('entityAttributes as claim')
    .where('claim.entityId', '=', sql.ref<string>('focal.id'))
    .where('claim.agentId', '=', agentId)
    .where('claim.status', '=', 'active')
    .where('claim.withheldAt', 'is', null)
    .orderBy('claim.importance', 'desc')
    .orderBy('claim.id')
    .limit(limit)
