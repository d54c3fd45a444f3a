import { daysAgo } from '../../kernel/host/host.ts'
import type { OntologyNeeds } from './needs.ts'
import { deleteChangesBefore } from './store/changes.ts'
import { deleteReconciledBefore } from './store/contradictions.ts'
import { deleteClosedBefore } from './store/proposals.ts'

const closedDays = 90
const reconciledDays = 180

/** Deletes expired images, closed proposals and reconciled contradictions. */
export async function sweep({
  db,
  host,
  config,
}: Pick<OntologyNeeds, 'db' | 'host' | 'config'>): Promise<void> {
  await deleteChangesBefore(db, daysAgo(host, config().undoDays))
  await deleteClosedBefore(db, daysAgo(host, closedDays))
  await deleteReconciledBefore(db, daysAgo(host, reconciledDays))
}
