import { assertInProject } from '../../kernel/auth/permission.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { readProjectCheckpoints, readSessionCheckpoints } from './checkpoints.ts'
import { diagnose } from './diagnose.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { readReceipt, readTranscript } from './read.ts'

import * as wire from './schemas.ts'

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
        return wire.toDiagnosisReply(await diagnose(needs, agentId))
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
  ]
}
