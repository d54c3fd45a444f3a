import type { Db } from '../../kernel/db/database.ts'

/** One use of a skill. */
export interface InvocationRow {
  readonly id: string
  readonly agentId: string
  readonly harness: string
  readonly sessionKey: string
  readonly skillName: string
  /** Identifies the use; null if the harness has no such id. */
  readonly toolUseId: string | null
  readonly latencyMs: number | null
  readonly success: 0 | 1
  readonly errorText: string | null
  /** The folder in which the skill was used. */
  readonly cwd: string | null
  /** What started the use, such as a person or a model. */
  readonly origin: string | null
  readonly createdAt: string
}

const table = (db: Db) => db.withTables<{ skillInvocations: InvocationRow }>()

/** False for a use that is already recorded. */
export async function insertInvocation(db: Db, invocation: InvocationRow): Promise<boolean> {
  const row = await table(db)
    .insertInto('skillInvocations')
    .values(invocation)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export interface Period {
  readonly agentId: string
  /** ISO time; undefined for all. */
  readonly since: string | undefined
}

function within(db: Db, { agentId, since = '' }: Period) {
  return table(db)
    .selectFrom('skillInvocations')
    .where('agentId', '=', agentId)
    .where('createdAt', '>=', since)
}

/** Uses by name in lower case, the most used first. */
export async function countByName(db: Db, period: Period) {
  const rows = await within(db, period)
    .select(({ fn }) => [
      fn<string>('lower', ['skillName']).as('name'),
      fn.countAll<number | string>().as('count'),
      fn.sum<number | string>('success').as('successes'),
      fn.avg<number | string | null>('latencyMs').as('latency'),
    ])
    .groupBy(({ fn }) => fn<string>('lower', ['skillName']))
    .orderBy('count', 'desc')
    .orderBy('name')
    .execute()
  return rows.map(({ name, count, successes, latency }) => ({
    name,
    count: Number(count),
    successes: Number(successes),
    latency: latency === null ? null : Number(latency),
  }))
}

export async function countLatencies(db: Db, period: Period): Promise<number> {
  const row = await within(db, period)
    .select(({ fn }) => fn.count<number | string>('latencyMs').as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** The latency at a rank from 1 in ascending order; undefined beyond the last one. */
export async function findLatency(db: Db, period: Period, rank: number) {
  const row = await within(db, period)
    .where('latencyMs', 'is not', null)
    .select('latencyMs')
    .orderBy('latencyMs')
    .offset(rank - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.latencyMs ?? undefined
}

export async function deleteBefore(db: Db, before: string): Promise<void> {
  await table(db).deleteFrom('skillInvocations').where('createdAt', '<', before).execute()
}

export async function deleteAgentRows(db: Db, agentId: string): Promise<void> {
  await table(db).deleteFrom('skillInvocations').where('agentId', '=', agentId).execute()
}
