import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { inNamespace, type Namespace } from './filter.ts'
import { tables } from './rows.ts'

/** The end is exclusive. */
export interface TimeSpan {
  readonly start: string
  readonly end: string
}

export interface NamedCount {
  readonly name: string
  readonly count: number
}

/** Counts of one type. `importance` is a sum. */
export interface TypeCount extends NamedCount {
  readonly pinned: number
  readonly importance: number
}

/** Counts current memories created in a time span, by type. */
export async function countCreated(
  db: Db,
  readScope: ReadScope,
  { start, end, ...namespace }: TimeSpan & Namespace,
): Promise<TypeCount[]> {
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
    name,
    count: Number(count),
    pinned: Number(pinned),
    importance: Number(importance),
  }))
}

/** Counts history events of readable memories in a time span, including deleted ones. */
export async function countHistoryEvents(
  db: Db,
  readScope: ReadScope,
  { start, end, ...namespace }: TimeSpan & Namespace,
): Promise<NamedCount[]> {
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
