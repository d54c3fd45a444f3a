import type { Db } from '../../kernel/db/database.ts'
import { appendLive, type LiveTurns } from './append-live.ts'
import { captureJob, enqueueCapture } from './capture.ts'
import { type Kept, keepSnapshot, type Snapshot } from './keep-snapshot.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { readInput, type TranscriptInput } from './read-input.ts'
import { transcriptsRoutes } from './routes.ts'
import { findTranscript } from './store/transcripts.ts'
import type { SessionRef } from './transcript.ts'

export { transcriptsConfig } from './config.ts'
export { transcriptsMigrations } from './migrations.ts'
export type TranscriptsCapability = ReturnType<typeof createTranscripts>

export function createTranscripts(needs: TranscriptsNeeds) {
  needs.jobs.handle(captureJob(needs))
  return {
    routes: transcriptsRoutes(needs),
    /** Inline or by path, cleaned; undefined where nothing is to be read. Before any transaction. */
    readInput: (input: TranscriptInput) => readInput(needs, input),
    find: (db: Db, session: SessionRef) => findTranscript(db, session),
    keepSnapshot: (db: Db, snapshot: Snapshot) => keepSnapshot(needs, db, snapshot),
    appendLive: (db: Db, live: LiveTurns) => appendLive(needs, db, live),
    /** In the transaction of `keepSnapshot`; gives the id of the receipt. */
    enqueueCapture: (db: Db, kept: Kept) => enqueueCapture(needs, db, kept),
  }
}
