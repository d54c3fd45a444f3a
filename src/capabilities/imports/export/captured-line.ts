import type { CapturedSession } from '../../transcripts/index.ts'
import type { ConversationLine } from '../conversation.ts'

/** A captured session as a line of an export. */
export function toCapturedLine(session: CapturedSession): ConversationLine {
  const { agentId, sessionKey, harness, project, createdAt, turns } = session
  return {
    agentId,
    sessionKey,
    harness,
    project,
    id: `session:${sessionKey}`,
    timestamp: createdAt,
    messages: turns.map(({ role, text }) => ({ role, content: text })),
  }
}
