import { type Expression, type SqlBool, sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Memory } from '../memory.ts'
import { inNamespace, type MemoryFilter, matching, type Namespace } from './filter.ts'
import { memoryColumns, tables, toMemory } from './rows.ts'

/** Importance from which on a memory counts as critical. */
const critical = 0.9

type ListFilter = Pick<MemoryFilter, 'type' | 'project' | 'tags' | 'since' | 'until'>

export interface ListPage extends Namespace, ListFilter {
  readonly limit: number
  readonly offset: number
}

/** Neither deleted nor superseded, newest first. */
export async function listListable(
  db: Db,
  readScope: ReadScope,
  { limit, offset, scope, allScopes, project, type, ...filter }: ListPage,
): Promise<Memory[]> {
  const rows = await listable(db, readScope, { scope, allScopes })
    .select(memoryColumns)
    .where(matching(filter))
    .$if(project !== undefined, (query) => query.where(indexed('project'), '=', project ?? ''))
    .$if(type !== undefined, (query) => query.where(indexed('type'), '=', type ?? ''))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toMemory)
}

/** The expression of an index that no other query uses: the planner would prefer it to better ones. */
function indexed(column: 'project' | 'type'): Expression<string> {
  return sql<string>`coalesce(${sql.ref(column)}, '')`
}

const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const minIdPrefix = 6

export function isIdPrefix(text: string): boolean {
  const id = text + lowestId.slice(text.length)
  return text.length >= minIdPrefix && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
}

export interface IdPrefixPage extends ListPage {
  readonly idPrefix: string
  readonly includeDeleted?: boolean | undefined
}

/** Superseded memories and, on request, deleted ones too, by id. All ids are UUIDs in lower case. */
export async function listByIdPrefix(
  db: Db,
  readScope: ReadScope,
  { idPrefix, includeDeleted = false, limit, offset, scope, allScopes, ...filter }: IdPrefixPage,
): Promise<Memory[]> {
  const { length } = idPrefix
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    // Whole ids sort alike in every collation of a server; prefixes do not.
    .where('id', '>=', idPrefix + lowestId.slice(length))
    .where('id', '<=', idPrefix + highestId.slice(length))
    .$if(!includeDeleted, (query) => query.where('deletedAt', 'is', null))
    .where(readableBy(readScope, 'memories'))
    .where(inNamespace({ scope, allScopes: allScopes ?? true }))
    .where(matching(filter))
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toMemory)
}

/** Says of a column of ids which of them have a vector. */
export type HasVector = (column: string) => Expression<SqlBool>

export async function countListable(
  db: Db,
  readScope: ReadScope,
  { hasVector, ...namespace }: Namespace & { readonly hasVector: HasVector },
): Promise<{ readonly total: number; readonly critical: number; readonly embedded: number }> {
  const counts = await listable(db, readScope, namespace)
    .select(({ fn }) => [
      fn.countAll<number | string>().as('total'),
      fn.count<number | string>('id').filterWhere('importance', '>=', critical).as('critical'),
      fn.countAll<number | string>().filterWhere(hasVector('memories.id')).as('embedded'),
    ])
    .executeTakeFirstOrThrow()
  const { total, critical: important, embedded } = counts
  return { total: Number(total), critical: Number(important), embedded: Number(embedded) }
}

/** Deleted ones as well, whoever may read them. */
export async function listByIds(db: Db, ids: readonly string[]): Promise<Memory[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('id', 'in', ids)
    .execute()
  return rows.map(toMemory)
}

/** Those of these that are there and neither deleted nor gone with their agent, whoever may read them. */
export async function filterExisting(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tables(db)
    .selectFrom('memories')
    .select('id')
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .where('visibility', '!=', 'archived')
    .execute()
  return rows.map(({ id }) => id)
}

/** The memories of these ids and those that one of them superseded, whoever may read them. */
export async function listLinked(db: Db, ids: readonly string[]): Promise<Memory[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where(({ eb, or }) => or([eb('id', 'in', ids), eb('supersededBy', 'in', ids)]))
    .execute()
  return rows.map(toMemory)
}

/** Neither deleted nor superseded, and readable. */
export function listable(db: Db, readScope: ReadScope, namespace: Namespace) {
  return tables(db)
    .selectFrom('memories')
    .where('deletedAt', 'is', null)
    .where('supersededBy', 'is', null)
    .where(readableBy(readScope, 'memories'))
    .where(inNamespace(namespace))
}
