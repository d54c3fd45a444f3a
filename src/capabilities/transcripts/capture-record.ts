import { createHash } from 'node:crypto'
import type { SessionRef } from './transcript.ts'

/** That a transcript is to be written down, and what became of it. */
export interface Capture extends SessionRef {
  readonly id: string
  /** Of the content that is to be captured, or was. */
  readonly contentHash: string
  /** The latest job; null where none would do. */
  readonly jobId: string | null
  /** Why there is no job. */
  readonly problem: string | null
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The jobs that write them. */
export const captureKind = 'transcripts.capture'

/** The same session has the same, so that whoever ends it twice asks for one thing. */
export function captureIdOf({ agentId, sessionKey }: SessionRef): string {
  const digest = createHash('sha256')
    .update(`${agentId}\0${sourceOf(sessionKey)}`)
    .digest('hex')
  return `tcj_${digest.slice(0, 32)}`
}

/** A conversation without a session is named by where it comes from. */
function sourceOf(sessionKey: string): string {
  return /^(file|inline):/.test(sessionKey) ? sessionKey : `session:${sessionKey}`
}
