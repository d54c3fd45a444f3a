import type { TranscriptsNeeds } from './needs.ts'
import { deleteCapturesBefore } from './store/captures.ts'
import { deleteCheckpointsBefore } from './store/checkpoints.ts'

const dayMs = 86_400_000
/** Receipts tell of the latest captures; the transcripts themselves stay. */
const receiptDays = 30
const checkpointDays = 7

export async function sweep({ db, host }: Pick<TranscriptsNeeds, 'db' | 'host'>): Promise<void> {
  const before = (days: number) => new Date(host.now().getTime() - days * dayMs).toISOString()
  await deleteCapturesBefore(db, before(receiptDays))
  await deleteCheckpointsBefore(db, before(checkpointDays))
}
