import type { Db } from '../../../kernel/db/database.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import { listOfSession, listSessions } from '../store/assertions.ts'
import type { Assertion } from './assertion.ts'

interface Scope {
  readonly agentId: string
  readonly project?: string | undefined
  readonly includeUnscoped?: boolean
}

const maxLabelLength = 96

/** Assertions in the timeline of their session. They count as no recall. */
export const assertionEvents = {
  countEvents: async (
    db: Db,
    { agentId, ...scope }: Scope,
    among: { readonly keys?: readonly string[]; readonly limit: number },
  ) => {
    if (!includesAssertions(scope)) return []
    const sessions = await listSessions(db, agentId, among)
    return sessions.map((session) => ({ ...session, project: null, count: 0 }))
  },
  listEvents: async (
    db: Db,
    { agentId, sessionKey, ...scope }: Scope & { readonly sessionKey: string },
    limit: number,
  ) => {
    if (!includesAssertions(scope)) return []
    return (await listOfSession(db, { agentId, sessionKey }, limit)).map(toEvent)
  },
}

/** An assertion has no project. */
function includesAssertions({ project, includeUnscoped = false }: Omit<Scope, 'agentId'>): boolean {
  return project === undefined || includeUnscoped
}

function toEvent({ id, content, createdAt, ...assertion }: Assertion) {
  const { predicate, subjectEntityId, confidence, sourceKind, sourceId, status } = assertion
  const label = sliceText(content, 0, maxLabelLength)
  return {
    id: `assertion:${id}`,
    kind: 'assertion.created' as const,
    at: createdAt,
    title: 'An assertion was written',
    detail: content,
    refs: [{ kind: 'assertion' as const, id, label, status }],
    payload: { predicate, subjectEntityId, confidence, sourceKind, sourceId },
  }
}
