import { type Route, route } from '../../kernel/http/route.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { listSessionActivity, replaySession } from './replay.ts'
import { byKey } from './schemas.ts'
import { searchSessions } from './search.ts'
import * as wire from './search-schemas.ts'
import { expandSummary, readSummaries } from './summaries.ts'

/** Routes for search, summaries and replay of sessions. */
export function searchRoutes(needs: TranscriptsNeeds): readonly Route[] {
  return [
    route({
      name: 'transcripts.search',
      method: 'POST',
      path: '/api/sessions/search',
      permission: 'recall',
      summary: 'Search the transcripts of the agent’s own sessions.',
      onInvalidBody: { error: 'invalid request body' },
      body: wire.searchBody,
      reply: wire.searchReply,
      handle: async ({ caller, body }) =>
        wire.toSearchReply(body.query, await searchSessions(needs, caller, body)),
    }),
    route({
      name: 'transcripts.summaries',
      method: 'GET',
      path: '/api/sessions/summaries',
      permission: 'recall',
      summary: 'List session summaries, the latest first.',
      query: wire.summariesQuery,
      reply: wire.summariesReply,
      handle: async ({ caller, query }) =>
        wire.toSummariesReply(await readSummaries(needs, caller, query)),
    }),
    route({
      name: 'transcripts.expand',
      method: 'POST',
      path: '/api/sessions/summaries/expand',
      permission: 'recall',
      summary: 'Expand a summary to its parents, children, memories and transcript.',
      onInvalidBody: { error: 'invalid request body' },
      body: wire.expandBody,
      reply: wire.expandReply,
      handle: async ({ caller, body }) =>
        wire.toExpandReply(await expandSummary(needs, caller, body)),
    }),
    route({
      name: 'transcripts.black-boxes',
      method: 'GET',
      path: '/api/sessions/blackbox',
      permission: 'recall',
      summary: 'List sessions with recorded events, the latest first.',
      query: wire.blackBoxesQuery,
      reply: wire.blackBoxesReply,
      handle: async ({ caller, query }) =>
        wire.toBlackBoxesReply(caller.agentId, await listSessionActivity(needs, caller, query)),
    }),
    route({
      name: 'transcripts.replay',
      method: 'GET',
      path: '/api/sessions/:key/blackbox',
      permission: 'recall',
      summary: 'Replay the events of a session in chronological order.',
      params: byKey,
      query: wire.replayQuery,
      reply: wire.replayReply,
      handle: async ({ caller, params, query }) => {
        const request = { sessionKey: params.key, project: query.project }
        return wire.toReplayReply(await replaySession(needs, caller, request))
      },
    }),
  ]
}
