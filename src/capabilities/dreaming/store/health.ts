import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** Of the agents that passes have read. */
export function listStates(db: Db) {
  return tables(db)
    .selectFrom('dreamingState')
    .select(['agentId', 'rulesFailures', 'lastFailureAt', 'lastPassAt'])
    .orderBy('agentId')
    .limit(100)
    .execute()
}

/** Plans that wait for a decision, and passes that advanced no source. */
export async function countStates(db: Db, startedAfter: string) {
  const plans = await tables(db)
    .selectFrom('dreamingPasses')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('disposition', '=', 'planned')
    .where('startedAt', '>', startedAfter)
    .executeTakeFirstOrThrow()
  const stuck = await tables(db)
    .selectFrom('dreamingPasses')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('stoppedBy', '=', 'no_progress')
    .where('startedAt', '>', startedAfter)
    .executeTakeFirstOrThrow()
  return { plans: Number(plans.count), passesWithoutProgress: Number(stuck.count) }
}
