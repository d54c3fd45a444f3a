import { useState } from 'react'
import { host } from '../../host.ts'
import type { SessionsReply } from '../../queries/home.ts'
import { useRead } from '../../queries/read.ts'
import type { Summaries } from '../../queries/sessions.ts'

const maxRead = 200

/** The sessions of today: those that ended, and those that are open now. */
export function useSessions() {
  const [today] = useState(() => new Date(host.now()).toDateString())
  const live = useRead<SessionsReply>('GET /api/sessions')
  const ended = useRead<Summaries>('GET /api/sessions/summaries', { query: { limit: maxRead } })
  const open = (live.data?.sessions ?? []).map(({ key, harness }) => ({ key, harness }))
  const captured = (ended.data?.summaries ?? [])
    .filter(({ created_at: at }) => new Date(at).toDateString() === today)
    .map(({ session_key: key, id, harness }) => ({ key: key ?? id, harness }))
  const all = [...new Map([...captured, ...open].map((each) => [each.key, each])).values()]
  return {
    /** Undefined until it is known. */
    captured: ended.data && captured.length,
    open: live.data?.count,
    countOf: (id: string) => all.filter(({ harness }) => harness === id).length,
  }
}
