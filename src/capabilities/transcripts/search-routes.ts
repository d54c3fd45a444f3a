import { type Route, route } from '../../kernel/http/route.ts'
import { expandSummary } from './expand-summary.ts'
import { readSummaries } from './list-summaries.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { listBlackBoxes, replaySession } from './replay.ts'
import { byKey } from './schemas.ts'
import { searchSessions } from './search.ts'
import * as wire from './search-schemas.ts'

/** What is found, condensed or told again of sessions. */
export function searchRoutes(needs: TranscriptsNeeds): readonly Route[] {
  return [
    route({
      name: 'transcripts.search',
      method: 'POST',
      path: '/api/sessions/search',
      permission: 'recall',
      summary: 'Finds what was said in the agent’s own sessions.',
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
      summary: 'What sessions were about, the latest first.',
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
      summary: 'What stands above and below a summary, its memories and its transcript.',
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
      summary: 'The sessions of which anything is known, the latest first.',
      query: wire.blackBoxesQuery,
      reply: wire.blackBoxesReply,
      handle: async ({ caller, query }) =>
        wire.toBlackBoxesReply(caller.agentId, await listBlackBoxes(needs, caller, query)),
    }),
    route({
      name: 'transcripts.replay',
      method: 'GET',
      path: '/api/sessions/:key/blackbox',
      permission: 'recall',
      summary: 'What was recalled and written in a session, in the order of time.',
      params: byKey,
      query: wire.replayQuery,
      reply: wire.replayReply,
      handle: async ({ caller, params, query }) => {
        const asked = { sessionKey: params.key, project: query.project }
        return wire.toReplayReply(await replaySession(needs, caller, asked))
      },
    }),
  ]
}
