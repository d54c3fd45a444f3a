import type { createTranscripts } from '../capabilities/transcripts/index.ts'
import type { Db } from '../kernel/db/database.ts'
import { transaction } from '../kernel/db/transaction.ts'

interface Brought {
  readonly agentId: string
  readonly sessionKey: string
  readonly project: string | null
  readonly text: string
}

/** A whole conversation that came along with a memory, and not from a harness that watches it. */
export function createTranscriptPort(
  db: Db,
  transcripts: () => ReturnType<typeof createTranscripts>,
) {
  return {
    keep: async ({ agentId, sessionKey, project, text }: Brought): Promise<void> => {
      const harness = 'manual'
      const read = await transcripts().readInput({ harness, transcript: text })
      const whose = { agentId, sessionKey, harness, project: project ?? undefined }
      await transaction(db, (db) =>
        transcripts().keepSnapshot(db, { ...whose, read, complete: true }),
      )
    },
  }
}
