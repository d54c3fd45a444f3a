import type { Db } from '../../kernel/db/database.ts'
import { redactStrictly } from '../../kernel/hygiene/redact.ts'
import { type CompleteFilter, listComplete } from './store/transcripts.ts'
import { readContent, type SessionRef, toContent } from './transcript.ts'

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
  db: Db,
  filter: CompleteFilter,
): Promise<readonly SessionEvidence[]> {
  return (await listComplete(db, filter)).map(({ content, completedAt, ...transcript }) => {
    const { agentId, sessionKey, harness, project, capturedAt, contentHash } = transcript
    return {
      ...{ agentId, sessionKey, harness, project, capturedAt, contentHash },
      completedAt: completedAt ?? '',
      text: redactStrictly(toContent(readContent(content))).text,
    }
  })
}
