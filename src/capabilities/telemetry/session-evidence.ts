import type { Db } from '../../kernel/db/database.ts'
import type { TelemetryRuntime } from './runtime.ts'
import { type Search, type SearchResult, topScoreOf } from './search.ts'
import { countSearches, listSearchesOfSession, type Projects } from './store/searches.ts'

interface Scope {
  readonly agentId: string
  readonly project?: string | undefined
  /** Whether rows without a project are included. */
  readonly includeUnscoped?: boolean
}

/** Search events of sessions, without query and result texts. */
export function createSearchEvidence({ flush }: Pick<TelemetryRuntime, 'flush'>) {
  return {
    countEvents: async (
      db: Db,
      scope: Scope,
      among: { readonly keys?: readonly string[]; readonly limit: number },
    ) => {
      await flush()
      const scopeFilter = { agentId: scope.agentId, projects: toProjects(scope) }
      const counts = await countSearches(db, scopeFilter, among)
      return counts.map(({ count, ...session }) => ({ ...session, count: 2 * count }))
    },
    listEvents: async (
      db: Db,
      { sessionKey, ...scope }: Scope & { readonly sessionKey: string },
      limit: number,
    ) => {
      await flush()
      const session = { agentId: scope.agentId, sessionKey }
      const page = { projects: toProjects(scope), limit: Math.ceil(limit / 2) }
      return (await listSearchesOfSession(db, session, page)).flatMap(toEvents)
    },
  }
}

function toProjects({ project, includeUnscoped = false }: Scope): Projects {
  return project === undefined ? undefined : { project, includeUnscoped }
}

function toEvents({ id, createdAt: at, route, durationMs, results }: Search) {
  const payload = { route, resultCount: results.length, durationMs, topScore: topScoreOf(results) }
  const event = { at, detail: route, payload }
  const resultTitle = results.length === 0 ? 'Nothing was found' : 'The memory answered'
  return [
    {
      ...event,
      id: `telemetry:${id}:query`,
      kind: 'recall.requested' as const,
      title: 'The memory was searched',
      refs: [],
    },
    {
      ...event,
      id: `telemetry:${id}:results`,
      kind: 'recall.result' as const,
      title: resultTitle,
      refs: results.map(toRef),
    },
  ]
}

function toRef({ itemId, memoryId, score }: SearchResult) {
  const id = memoryId ?? itemId
  const isSession = /^(transcript|temporal:session):/.test(itemId)
  const kind = memoryId !== null ? 'memory' : isSession ? 'session' : 'source'
  return { kind, id, label: id.slice(0, 96), score } as const
}
