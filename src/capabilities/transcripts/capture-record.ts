import { createHash } from 'node:crypto'
import type { SessionRef } from './transcript.ts'

/** The capture of a transcript to its file, and its state. */
export interface Capture extends SessionRef {
  readonly id: string
  /** Hash of the content to capture. */
  readonly contentHash: string
  /** The latest job; null when the capture was rejected. */
  readonly jobId: string | null
  /** Why the capture was rejected. */
  readonly problem: string | null
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export const captureJobKind = 'transcripts.capture'

/** Deterministic for a session, so repeated captures share one receipt. */
export function captureIdOf({ agentId, sessionKey }: SessionRef): string {
  const digest = createHash('sha256')
    .update(`${agentId}\0${sourceOf(sessionKey)}`)
    .digest('hex')
  return `tcj_${digest.slice(0, 32)}`
}

/** A conversation without a session is identified by its source. */
function sourceOf(sessionKey: string): string {
  return /^(file|inline):/.test(sessionKey) ? sessionKey : `session:${sessionKey}`
}
