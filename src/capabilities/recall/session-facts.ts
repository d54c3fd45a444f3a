import type { SearchRequest } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import type { Happening } from './result.ts'
import type { TemporalIntent } from './temporal-intent.ts'

type SessionNeeds = Pick<RecallNeeds, 'transcripts' | 'memory'>

/** Sessions of the agent that lasted into a range of time, by what they were about. */
export async function listSessionFacts(
  { transcripts, memory }: SessionNeeds,
  { start, end, facets }: TemporalIntent,
  { readScope, filters, asOf, limit }: SearchRequest,
): Promise<Happening[]> {
  const { agentId: _, sessionId: sessionKey, project: asked, ...others } = filters
  const project = asked ?? readScope.project ?? undefined
  const isOutside = readScope.project !== null && project !== readScope.project
  // No session has what is asked of memories alone.
  const isOfMemories = memory.search.hasFilter(others) || others.scope !== null
  if (!facets.includes('session') || isOutside || isOfMemories || asOf !== undefined) return []
  const of = { agentId: readScope.agentId, sessionKey, project, during: { start, end } }
  return (await transcripts.listSummaries(of, limit)).map((about) => ({
    ...{ subjectType: 'session', subjectId: about.id, facet: 'session', rank: 1 },
    ...{ startAt: about.earliestAt, endAt: about.latestAt, memory: undefined, about },
  }))
}
