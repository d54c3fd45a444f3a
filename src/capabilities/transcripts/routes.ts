import { z } from 'zod'
import { assertInProject } from '../../kernel/auth/permission.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { type Tool, tool } from '../../kernel/http/tool.ts'
import { readProjectCheckpoints, readSessionCheckpoints } from './checkpoints.ts'
import { diagnose } from './diagnose.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { readReceipt, readTranscript } from './read.ts'

import { listSessionActivity, replaySession } from './replay.ts'
import * as replay from './replay-schemas.ts'
import * as wire from './schemas.ts'
import { searchSessions } from './search.ts'
import { expandSummary, readSummaries } from './summaries.ts'

export function transcriptsRoutes(needs: TranscriptsRuntime): readonly Route[] {
  return [
    route({
      name: 'transcripts.receipt',
      method: 'GET',
      path: '/api/hooks/transcript-capture/:jobId',
      permission: 'remember',
      summary: 'Read the state of a transcript capture.',
      params: wire.byJob,
      query: wire.agentQuery,
      reply: wire.receiptReply,
      handle: ({ caller, params }) => readReceipt(needs, caller, params.jobId),
    }),
    route({
      name: 'transcripts.read',
      method: 'GET',
      path: '/api/sessions/:key/transcript',
      permission: 'recall',
      summary: 'Read the transcript of a session, one turn a line.',
      params: wire.byKey,
      query: wire.agentQuery,
      reply: wire.transcriptReply,
      handle: ({ caller, params }) => readTranscript(needs, caller, params.key),
    }),
    route({
      name: 'transcripts.diagnose',
      method: 'GET',
      path: '/api/diagnostics/transcripts',
      permission: 'diagnostics',
      summary: 'Diagnose transcript capture for all agents or one.',
      query: wire.agentQuery,
      reply: wire.diagnosisReply,
      handle: async ({ caller, query, headers }) => {
        // Captures are counted by agent, over all projects.
        assertInProject(caller, null)
        const agentId = wire.findNamedAgent(caller, { query, headers })
        return diagnose(needs, agentId)
      },
    }),
    route({
      name: 'transcripts.checkpoints',
      method: 'GET',
      path: '/api/checkpoints',
      permission: 'recall',
      summary: 'List the latest checkpoints of a project.',
      query: wire.checkpointsQuery,
      reply: wire.checkpointsReply,
      handle: async ({ caller, query }) =>
        wire.toCheckpointsReply(await readProjectCheckpoints(needs, caller, query)),
    }),
    route({
      name: 'transcripts.session-checkpoints',
      method: 'GET',
      path: '/api/checkpoints/:key',
      permission: 'recall',
      summary: 'List the checkpoints of a session, the latest first.',
      params: wire.byKey,
      query: wire.agentQuery,
      reply: wire.checkpointsReply,
      handle: async ({ caller, params }) =>
        wire.toCheckpointsReply(await readSessionCheckpoints(needs, caller, params.key)),
    }),
    route({
      name: 'transcripts.search',
      method: 'POST',
      path: '/api/sessions/search',
      permission: 'recall',
      summary: 'Search the transcripts of the agent’s own sessions.',
      onInvalidBody: { error: 'invalid request body' },
      body: wire.searchBody,
      reply: wire.searchReply,
      handle: async ({ caller, body }) => {
        const hits = await searchSessions(needs, caller, body)
        return { query: body.query, hits, count: hits.length }
      },
    }),
    route({
      name: 'transcripts.summaries',
      method: 'GET',
      path: '/api/sessions/summaries',
      permission: 'recall',
      summary: 'List session summaries, the latest first.',
      query: wire.summariesQuery,
      reply: wire.summariesReply,
      handle: ({ caller, query }) => readSummaries(needs, caller, query),
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
      handle: ({ caller, body }) => expandSummary(needs, caller, body),
    }),
    route({
      name: 'transcripts.black-boxes',
      method: 'GET',
      path: '/api/sessions/blackbox',
      permission: 'recall',
      summary: 'List sessions with recorded events, the latest first.',
      query: replay.blackBoxesQuery,
      reply: replay.blackBoxesReply,
      handle: async ({ caller, query }) => {
        const sessions = await listSessionActivity(needs, caller, query)
        return { agentId: caller.agentId, sessions, count: sessions.length }
      },
    }),
    route({
      name: 'transcripts.replay',
      method: 'GET',
      path: '/api/sessions/:key/blackbox',
      permission: 'recall',
      summary: 'Replay the events of a session in chronological order.',
      params: wire.byKey,
      query: replay.replayQuery,
      reply: replay.replayReply,
      handle: ({ caller, params, query }) =>
        replaySession(needs, caller, { sessionKey: params.key, project: query.project }),
    }),
  ]
}

const text = z.string()

export const transcriptTools: readonly Tool[] = [
  tool({
    name: 'session_search',
    title: 'Search sessions',
    effect: 'reads',
    route: 'transcripts.search',
    description: 'Find earlier conversations by their words, with an excerpt of each.',
    input: z.object({
      query: text.min(1).describe('Words of the conversation, or the key of a session'),
      session_key: text.describe('Search only this session').optional(),
      current_session_key: text.describe('The calling session, which is excluded').optional(),
      agent_id: text.describe('The agent whose sessions are searched').optional(),
      project: text.optional(),
      limit: z.number().describe('At most 20; default 10').optional(),
    }),
    toRouteInput: (body, { liveSessions: excludedSessions }) => ({
      body: { ...body, excludedSessions },
    }),
  }),
]
