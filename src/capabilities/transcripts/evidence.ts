import type { Db } from '../../kernel/db/database.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { type CompleteFilter, listComplete } from './store/transcripts.ts'
import { linesIn, type SessionRef } from './transcript.ts'

/** A session that is over, as whoever draws conclusions from it may see it. */
export interface SessionEvidence extends SessionRef {
  readonly harness: string
  readonly project: string | null
  readonly capturedAt: string
  readonly completedAt: string
  /** Changes with the text: by it one knows what has been read already. */
  readonly contentHash: string
  /** What was said, and that tools were called; not what they answered, and nothing secret. */
  readonly text: string
}

/** Complete sessions alone, the earliest completed first; go on after the last of a page. */
export async function listEvidence(
  { texts }: Pick<TranscriptsRuntime, 'texts'>,
  db: Db,
  filter: CompleteFilter,
): Promise<readonly SessionEvidence[]> {
  const transcripts = await listComplete(db, filter)
  return Promise.all(
    transcripts.map(async ({ content, completedAt, ...transcript }) => {
      const { agentId, sessionKey, harness, project, capturedAt, contentHash } = transcript
      return {
        ...{ agentId, sessionKey, harness, project, capturedAt, contentHash },
        completedAt: completedAt ?? '',
        text: await texts.redact(linesIn(content)),
      }
    }),
  )
}
