import { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { JobKind, Task } from '../../kernel/jobs/kind.ts'
import type { TranscriptsNeeds, TranscriptsRuntime } from './needs.ts'
import { findTranscript } from './store/transcripts.ts'
import type { Transcript } from './transcript.ts'
import { writeTranscript } from './write-transcript.ts'

const kind = 'transcripts.write-out'
const attemptsAtMost = 5

/** Has the file go on with the session, within the transaction that has kept what was said. */
export async function enqueueWriteOut(
  { jobs }: Pick<TranscriptsNeeds, 'jobs'>,
  db: Db,
  { agentId, sessionKey, contentHash }: Transcript,
): Promise<void> {
  try {
    await jobs.enqueue(db, {
      ...{ kind, agentId, subject: `session:${sessionKey}`, maxAttempts: attemptsAtMost },
      payload: { agentId, sessionKey },
      dedupeKey: `${agentId}:${sessionKey}:${contentHash}`,
    })
  } catch (error) {
    // The capture at the session's end writes what is missing: no prompt is refused for a backlog.
    if (!(error instanceof Refusal && error.code === 'queue_full')) throw error
  }
}

export function writeOutJob(needs: TranscriptsRuntime): JobKind {
  return { kind, run: (task) => writeOut(needs, task) }
}

const payloadOf = z.object({ agentId: z.string(), sessionKey: z.string() })

async function writeOut(needs: TranscriptsRuntime, { payload }: Task): Promise<void> {
  const session = payloadOf.parse(payload)
  const transcript = await findTranscript(needs.db, session)
  // Its agent may have gone since.
  if (!transcript || transcript.writtenHash === transcript.contentHash) return
  await writeTranscript(needs, transcript)
}
