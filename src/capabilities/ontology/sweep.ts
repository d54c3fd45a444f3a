import type { OntologyNeeds } from './needs.ts'
import { deleteChangesBefore } from './store/changes.ts'
import { deleteReconciledBefore } from './store/contradictions.ts'
import { deleteClosedBefore } from './store/proposals.ts'

const dayMs = 86_400_000
const closedDays = 90
const reconciledDays = 180

/** Deletes expired images, closed proposals and reconciled contradictions. */
export async function sweep({
  db,
  host,
  config,
}: Pick<OntologyNeeds, 'db' | 'host' | 'config'>): Promise<void> {
  const before = (days: number) => new Date(host.now().getTime() - days * dayMs).toISOString()
  await deleteChangesBefore(db, before(config().undoDays))
  await deleteClosedBefore(db, before(closedDays))
  await deleteReconciledBefore(db, before(reconciledDays))
}
