import { type Expression, type SqlBool, sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { toIdRange } from '../../../kernel/db/id-prefix.ts'
import { scopedSelect } from '../../../kernel/db/scoped-select.ts'
import type { Memory } from '../memory.ts'
import {
  hasText,
  indexed,
  inNamespace,
  type MemoryFilter,
  matchesFilter,
  type Namespace,
} from './filter.ts'
import { type ListedMemory, listColumns, memoryColumns, tables, toMemory } from './rows.ts'

type ListFilter = Pick<
  MemoryFilter,
  'type' | 'project' | 'tags' | 'since' | 'until' | 'who' | 'sourceType' | 'pinned'
>

/** `live` is current. A forgotten memory may be superseded too. */
export const memoryStates = ['live', 'forgotten', 'superseded', 'all'] as const

interface ListSelection extends Namespace, ListFilter {
  /** The default is `live`. */
  readonly state?: (typeof memoryStates)[number] | undefined
  /** Memories that were forgotten before this time cannot be recovered and are not listed. */
  readonly forgottenSince?: string | undefined
}

export interface ListPage extends ListSelection {
  readonly limit: number
  readonly offset: number
}

/** Memories of a state, by default current ones, newest first. */
export async function listListable(
  db: Db,
  readScope: ReadScope,
  page: ListPage,
): Promise<ListedMemory[]> {
  const { limit, offset, allScopes = false } = page
  const isPlain = !allScopes && page.scope === undefined && isUnfiltered(page)
  return isPlain
    ? await selectPlainPage(db, readScope, { limit, offset })
    : await selectPage(db, readScope, page).execute()
}

const selectPlainPage = scopedSelect((db, readScope, page: Pick<ListPage, 'limit' | 'offset'>) =>
  selectPage(db, readScope, page),
)

export function isUnfiltered({ state = 'live', ...page }: ListSelection): boolean {
  const { scope, allScopes, forgottenSince, ...filter } = page
  const names = Object.keys(filter).filter((name) => name !== 'limit' && name !== 'offset')
  return state === 'live' && names.every((name) => Reflect.get(filter, name) === undefined)
}

function selectPage(db: Db, readScope: ReadScope, { limit, offset, ...selection }: ListPage) {
  const [first = 'live', ...others] = statesOf(selection)
  const part = (state: OneState) =>
    select(db, readScope, { ...selection, state }).select(listColumns)
  // Each part is read in the order of its own index.
  return others
    .reduce((all, state) => all.unionAll(part(state)), part(first))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
}

/** Counts the memories of a filtered list. */
export async function countListed(
  db: Db,
  readScope: ReadScope,
  selection: ListSelection,
): Promise<number> {
  const counts = await Promise.all(
    statesOf(selection).map((state) =>
      select(db, readScope, { ...selection, state })
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow(),
    ),
  )
  return counts.reduce((total, { count }) => total + Number(count), 0)
}

type OneState = Exclude<(typeof memoryStates)[number], 'all'>

function statesOf({ state = 'live' }: ListSelection): readonly OneState[] {
  return state === 'all' ? ['live', 'superseded', 'forgotten'] : [state]
}

type SelectionOfState = ListSelection & { readonly state: OneState }

function select(db: Db, readScope: ReadScope, selection: SelectionOfState) {
  const { scope, allScopes, state, forgottenSince = '', ...filter } = selection
  const { project, type, who, sourceType, pinned, ...rest } = filter
  const isForgotten = state === 'forgotten'
  return (
    tables(db)
      .selectFrom('memories')
      .where('memories.deletedAt', isForgotten ? 'is not' : 'is', null)
      .$if(isForgotten, (query) => query.where('memories.deletedAt', '>=', forgottenSince))
      .$if(!isForgotten, (query) =>
        query.where('memories.supersededBy', state === 'live' ? 'is' : 'is not', null),
      )
      .where(readableBy(readScope, 'memories'))
      .where(inNamespace({ scope, allScopes }))
      .where(matchesFilter(pinned === false ? { ...rest, pinned } : rest))
      // A literal, so that the index of pinned memories serves it.
      .$if(pinned === true, (query) => query.where(sql<SqlBool>`memories.pinned = 1`))
      .$if(project !== undefined, (query) => query.where(indexed('project'), '=', project ?? ''))
      .$if(type !== undefined, (query) => query.where(indexed('type'), '=', type ?? ''))
      .$if(who !== undefined, (query) => query.where(hasText('who', who)))
      .$if(sourceType !== undefined, (query) => query.where(hasText('sourceType', sourceType)))
  )
}

interface IdPrefixPage extends Omit<ListPage, 'forgottenSince' | 'state'> {
  readonly idPrefix: string
  readonly includeDeleted?: boolean | undefined
}

/** Includes superseded and, on request, deleted memories, ordered by id. Ids are lower-case UUIDs. */
export async function listByIdPrefix(
  db: Db,
  readScope: ReadScope,
  { limit, offset, ...selection }: IdPrefixPage,
): Promise<ListedMemory[]> {
  return await selectByIdPrefix(db, readScope, selection)
    .select(listColumns)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countByIdPrefix(
  db: Db,
  readScope: ReadScope,
  { limit, offset, ...selection }: IdPrefixPage,
): Promise<number> {
  const { count } = await selectByIdPrefix(db, readScope, selection)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function selectByIdPrefix(
  db: Db,
  readScope: ReadScope,
  selection: Omit<IdPrefixPage, 'limit' | 'offset'>,
) {
  const { idPrefix, includeDeleted = false, scope, allScopes, ...filter } = selection
  const { first, last } = toIdRange(idPrefix)
  return tables(db)
    .selectFrom('memories')
    .where('id', '>=', first)
    .where('id', '<=', last)
    .$if(!includeDeleted, (query) => query.where('deletedAt', 'is', null))
    .where(readableBy(readScope, 'memories'))
    .where(inNamespace({ scope, allScopes: allScopes ?? true }))
    .where(matchesFilter(filter))
}

/** Condition: the memory of this id column has a vector. */
export type HasVector = (column: string) => Expression<SqlBool>

/** Reads every current memory. `readListStats` does not. */
export async function countListable(
  db: Db,
  readScope: ReadScope,
  { hasVector, ...namespace }: Namespace & { readonly hasVector: HasVector },
): Promise<{ readonly total: number; readonly embedded: number }> {
  const counts = await listable(db, readScope, namespace)
    .select(({ fn }) => [
      fn.countAll<number | string>().as('total'),
      fn.countAll<number | string>().filterWhere(hasVector('memories.id')).as('embedded'),
    ])
    .executeTakeFirstOrThrow()
  return { total: Number(counts.total), embedded: Number(counts.embedded) }
}

/** Includes deleted memories, without a read check. */
export async function listByIds(db: Db, ids: readonly string[]): Promise<Memory[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('id', 'in', ids)
    .execute()
  return rows.map(toMemory)
}

/** Filters ids to memories that are neither deleted nor archived, without a read check. */
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

/** The memories of these ids and those they superseded, without a read check. */
export async function listLinked(db: Db, ids: readonly string[]): Promise<Memory[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where(({ eb, or }) => or([eb('id', 'in', ids), eb('supersededBy', 'in', ids)]))
    .execute()
  return rows.map(toMemory)
}

/** Current, readable memories. */
export function listable(db: Db, readScope: ReadScope, namespace: Namespace) {
  return tables(db)
    .selectFrom('memories')
    .where('memories.deletedAt', 'is', null)
    .where('memories.supersededBy', 'is', null)
    .where(readableBy(readScope, 'memories'))
    .where(inNamespace(namespace))
}

export interface ListStats {
  readonly total: number
  readonly withEmbeddings: number
  /** Memories of importance 0.9 or more. */
  readonly critical: number
}

/** Counts the current, readable memories of a namespace from the maintained counts. */
export async function readListStats(
  db: Db,
  readScope: ReadScope,
  { scope, allScopes = false, identity }: Namespace & { readonly identity: string },
): Promise<ListStats> {
  const project = readScope.project === null ? null : encodeKey(readScope.project)
  const encodedScope = { ...readScope, project }
  const isOfAll = allScopes && scope === undefined
  const rows = isOfAll
    ? await selectCounts(db, encodedScope, { identity })
    : await selectCountsOf(db, encodedScope, { identity, scope: encodeKey(scope) })
  const all = rows.find((row) => row.identity === '')
  const embedded = rows.find((row) => row.identity !== '')
  return {
    total: Number(all?.total ?? 0),
    withEmbeddings: Number(embedded?.total ?? 0),
    critical: Number(all?.critical ?? 0),
  }
}

/** Distinguishes an empty text from none, as the triggers do. */
function encodeKey(value: string | undefined): string {
  return value === undefined ? '' : `=${value}`
}

interface CountsOf {
  /** The model of the vectors. Empty without a model. */
  readonly identity: string
}

const selectCounts = scopedSelect((db, readScope, { identity }: CountsOf) =>
  readableCounts(db, readScope, identity),
)

const selectCountsOf = scopedSelect(
  (db, readScope, { identity, scope }: CountsOf & { readonly scope: string }) =>
    readableCounts(db, readScope, identity).where('scope', '=', scope),
)

function readableCounts(db: Db, readScope: ReadScope, identity: string) {
  return tables(db)
    .selectFrom('memoryCounts')
    .select(({ fn }) => [
      'identity',
      fn.sum<number | string>('total').as('total'),
      fn.sum<number | string>('critical').as('critical'),
    ])
    .where('identity', 'in', ['', identity])
    .where(readableBy(readScope, 'memory_counts'))
    .groupBy('identity')
}

/** Counts the memories of every agent. Reads indexes only. */
export async function countMemories(
  db: Db,
): Promise<{ readonly live: number; readonly deleted: number }> {
  const counting = tables(db)
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
  const all = await counting.executeTakeFirstOrThrow()
  const deleted = await counting.where('deletedAt', 'is not', null).executeTakeFirstOrThrow()
  return { live: Number(all.count) - Number(deleted.count), deleted: Number(deleted.count) }
}
