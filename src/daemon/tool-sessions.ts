import { type SessionsCapability, toBareKey } from '../capabilities/sessions/index.ts'
import type { TranscriptCapture } from '../capabilities/transcripts/index.ts'
import type { Db } from '../kernel/db/database.ts'
import type { OriginNeeds } from '../surfaces/mcp/index.ts'

interface Needs {
  readonly db: Db
  readonly sessions: Pick<SessionsCapability, 'find' | 'list'>
  readonly transcripts: Pick<TranscriptCapture, 'findOrigin'>
}

/** Finds the session that calls a tool. */
export function createToolSessions({ db, sessions, transcripts }: Needs): OriginNeeds {
  return {
    findSessionProject: async ({ agentId, sessionKey }) => {
      const id = { agentId, sessionKey: toBareKey(sessionKey) ?? '' }
      const session = (await sessions.find(id)) ?? (await transcripts.findOrigin(db, id))
      return session?.project ?? null
    },
    listLiveSessions: async ({ agentId, harness, project }) => {
      const live = await sessions.list({ agentId, scope: { project } })
      return live
        .filter((session) => session.harness === harness)
        .map(({ sessionKey }) => sessionKey)
    },
  }
}
