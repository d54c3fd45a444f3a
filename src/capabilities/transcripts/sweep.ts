import type { TranscriptsNeeds } from './needs.ts'
import { deleteCapturesBefore } from './store/captures.ts'

const dayMs = 86_400_000
/** Receipts tell of the latest captures; the transcripts themselves stay. */
const receiptDays = 30

export async function sweep({ db, host }: Pick<TranscriptsNeeds, 'db' | 'host'>): Promise<void> {
  const before = new Date(host.now().getTime() - receiptDays * dayMs).toISOString()
  await deleteCapturesBefore(db, before)
}
