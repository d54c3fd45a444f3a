import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables, type UsageRow } from './tables.ts'

export async function addUsage(db: Db, row: UsageRow): Promise<void> {
  const added = <Name extends keyof UsageRow & string>(name: Name) =>
    sql<number>`inference_usage.${sql.ref(name)} + excluded.${sql.ref(name)}`
  await tables(db)
    .insertInto('inferenceUsage')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['day', 'agentId', 'operation', 'taskClass', 'targetRef']).doUpdateSet({
        calls: added('calls'),
        failures: added('failures'),
        inputTokens: added('inputTokens'),
        outputTokens: added('outputTokens'),
        cacheReadTokens: added('cacheReadTokens'),
        cacheCreationTokens: added('cacheCreationTokens'),
        costMicros: added('costMicros'),
      }),
    )
    .execute()
}

/** Other agents than this one with calls on this day. */
export async function countOtherAgents(
  db: Db,
  { day, agentId }: Pick<UsageRow, 'day' | 'agentId'>,
): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('inferenceUsage')
    .select(({ fn }) => fn.count('agentId').distinct().as('count'))
    .where('day', '=', day)
    .where('agentId', '!=', agentId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function hasUsage(
  db: Db,
  { day, agentId }: Pick<UsageRow, 'day' | 'agentId'>,
): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('inferenceUsage')
    .select('day')
    .where('day', '=', day)
    .where('agentId', '=', agentId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const usageGroups = {
  day: 'day',
  agent: 'agentId',
  target: 'targetRef',
  operation: 'operation',
} as const

interface UsageFilter {
  /** Days, both inclusive. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly agentId?: string | undefined
  readonly by: keyof typeof usageGroups
  readonly limit: number
}

export interface UsageSums {
  readonly calls: number
  readonly failures: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  readonly costMicros: number
}

const sumColumns = [
  'calls',
  'failures',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheCreationTokens',
  'costMicros',
] as const

/** Days are newest first, other groups by name. */
export async function sumUsage(
  db: Db,
  { since, until, agentId, by, limit }: UsageFilter,
): Promise<(UsageSums & { readonly key: string })[]> {
  const column = usageGroups[by]
  const rows = await tables(db)
    .selectFrom('inferenceUsage')
    .select((eb) => [
      eb.ref(column).as('key'),
      ...sumColumns.map((name) => sql<number>`sum(${sql.ref(name)})`.as(name)),
    ])
    .$if(since !== undefined, (query) => query.where('day', '>=', since ?? ''))
    .$if(until !== undefined, (query) => query.where('day', '<=', until ?? ''))
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId ?? ''))
    .groupBy(column)
    .orderBy(column, by === 'day' ? 'desc' : 'asc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...toSums(row), key: row.key }))
}

function toSums(row: UsageSums): UsageSums {
  const numbers = sumColumns.map((name) => [name, Number(row[name])] as const)
  return Object.fromEntries(numbers) as unknown as UsageSums
}

export async function deleteUsageBefore(db: Db, day: string): Promise<void> {
  await tables(db).deleteFrom('inferenceUsage').where('day', '<', day).execute()
}

export async function deleteUsageOf(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('inferenceUsage').where('agentId', '=', agentId).execute()
}
