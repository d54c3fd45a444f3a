import type { Db } from '../../../kernel/db/database.ts'
import { type ReadScope, readableBy } from '../../../kernel/db/read-scope.ts'
import { inNamespace, type Namespace } from './filter.ts'
import { tables } from './rows.ts'

/** The end is exclusive. */
export interface Span {
  readonly start: string
  readonly end: string
}

export interface Counted {
  readonly name: string
  readonly count: number
}

/** The memories of one type; importance is the sum of theirs. */
export interface Kept extends Counted {
  readonly pinned: number
  readonly importance: number
}

/** Live memories by type, kept in a span of time. */
export async function countKept(
  db: Db,
  readScope: ReadScope,
  { start, end, ...namespace }: Span & Namespace,
): Promise<Kept[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(({ fn }) => [
      'type as name',
      fn.countAll<number | string>().as('count'),
      fn.sum<number | string>('pinned').as('pinned'),
      fn.sum<number | string>('importance').as('importance'),
    ])
    .where('createdAt', '>=', start)
    .where('createdAt', '<', end)
    .where('deletedAt', 'is', null)
    .where('supersededBy', 'is', null)
    .where(readableBy(readScope, 'memories'))
    .where(inNamespace(namespace))
    .groupBy('type')
    .orderBy('count', 'desc')
    .orderBy('type')
    .execute()
  return rows.map(({ name, count, pinned, importance }) => ({
    ...{ name, count: Number(count), pinned: Number(pinned), importance: Number(importance) },
  }))
}

/** What was done in a span of time with memories in sight, deleted or not. */
export async function countDeeds(
  db: Db,
  readScope: ReadScope,
  { start, end, ...namespace }: Span & Namespace,
): Promise<Counted[]> {
  const rows = await tables(db)
    .selectFrom('memoryHistory')
    .crossJoin('memories')
    .select(({ fn }) => ['memoryHistory.event as name', fn.countAll<number | string>().as('count')])
    .whereRef('memories.id', '=', 'memoryHistory.memoryId')
    .where('memoryHistory.createdAt', '>=', start)
    .where('memoryHistory.createdAt', '<', end)
    .where(readableBy(readScope, 'memories'))
    .where(inNamespace(namespace))
    .groupBy('memoryHistory.event')
    .orderBy('count', 'desc')
    .orderBy('memoryHistory.event')
    .execute()
  return rows.map(({ name, count }) => ({ name, count: Number(count) }))
}
