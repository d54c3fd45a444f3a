import type { Db } from '../../../kernel/db/database.ts'
import type { OfferedMemory, Score } from '../score.ts'
import type { SessionId } from '../session.ts'
import { tables } from './rows.ts'

/** Stored rows do not change. */
export function insertOfferedQuery(db: Db, offeredMemories: readonly OfferedMemory[]) {
  return tables(db)
    .insertInto('sessionMemories')
    .values(
      offeredMemories.map(({ wasInjected, ...row }) => ({
        ...row,
        wasInjected: wasInjected ? 1 : 0,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
}

/** The id of each injected memory. */
export async function listInjected(
  db: Db,
  { agentId, sessionKey }: SessionId,
  limit: number,
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('sessionMemories')
    .select('memoryId')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('wasInjected', '=', 1)
    .orderBy('rank')
    .limit(limit)
    .execute()
  return rows.map(({ memoryId }) => memoryId)
}

export async function insertScore(db: Db, score: Score): Promise<void> {
  await tables(db).insertInto('sessionScores').values(score).execute()
}

export interface ScoreFilter {
  readonly agentId: string
  readonly project: string | undefined
  readonly limit: number
}

/** The latest first. */
export function listScores(db: Db, { agentId, project, limit }: ScoreFilter): Promise<Score[]> {
  const scores = tables(db)
    .selectFrom('sessionScores')
    .selectAll()
    .where('agentId', '=', agentId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  return (project === undefined ? scores : scores.where('project', '=', project)).execute()
}

/** The latest score of each project. */
export async function listLatestScores(
  db: Db,
  { agentId, project, limit }: ScoreFilter,
): Promise<Score[]> {
  const latest = tables(db)
    .selectFrom('sessionScores')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('agentId', '=', agentId)
    .where('project', 'is not', null)
    .groupBy('project')
  const scores = tables(db)
    .selectFrom('sessionScores')
    .selectAll()
    .where('id', 'in', latest)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  return (project === undefined ? scores : scores.where('project', '=', project)).execute()
}

/** The time of the agent's last session end, ISO. */
export async function findLastEnd(
  db: Db,
  { agentId, project }: { readonly agentId: string; readonly project: string | null },
): Promise<string | null> {
  const ends = tables(db)
    .selectFrom('sessionScores')
    .select(({ fn }) => fn.max('createdAt').as('at'))
    .where('agentId', '=', agentId)
  const row = await (project === null
    ? ends
    : ends.where('project', '=', project)
  ).executeTakeFirst()
  return row?.at ?? null
}

export async function countEnds(
  db: Db,
  { agentId, project }: { readonly agentId: string; readonly project: string | null },
  after: string,
): Promise<number> {
  const ends = tables(db)
    .selectFrom('sessionScores')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('createdAt', '>', after)
  const { count } = await (project === null
    ? ends
    : ends.where('project', '=', project)
  ).executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteScoresBefore(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('sessionScores').where('createdAt', '<', before).execute()
  await tables(db).deleteFrom('sessionMemories').where('createdAt', '<', before).execute()
}
