import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { scopedSelect } from '../../../kernel/db/scoped-select.ts'
import type { Namespace } from './filter.ts'
import { tables } from './rows.ts'

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
