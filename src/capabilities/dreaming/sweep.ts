import { daysAgo } from '../../kernel/host/host.ts'
import type { DreamingNeeds } from './needs.ts'
import * as store from './store/retention.ts'

const maxPassDays = 400
/** As long as the graph can undo them. */
const wordDays = 30
/** The quality report counts operations of this time. */
const operationDays = 90
const traceDays = 14
const maxPasses = 1_000
const maxSourcesOfFact = 50

/** Deletes what has passed its limit of time or number. */
export async function sweep({
  background: db,
  host,
}: Pick<DreamingNeeds, 'background' | 'host'>): Promise<void> {
  await store.deleteTracesBefore(db, daysAgo(host, traceDays))
  await store.eraseOperationsBefore(db, daysAgo(host, wordDays))
  await store.deleteOperationsBefore(db, daysAgo(host, operationDays))
  await store.deletePassesBefore(db, daysAgo(host, maxPassDays))
  await store.deleteResolvedExclusions(db, daysAgo(host, operationDays))
  for (const agentId of await store.listAgents(db)) {
    const oldest = await store.findNthStart(db, agentId, maxPasses)
    if (oldest !== undefined) await store.deletePassesBefore(db, oldest, agentId)
    await store.trimFacts(db, agentId, maxSourcesOfFact)
  }
}
