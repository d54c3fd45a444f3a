import { type Route, route } from '../../kernel/http/route.ts'
import { readReceipt } from './capture-receipt.ts'
import type { TranscriptsNeeds } from './needs.ts'
import * as wire from './schemas.ts'

export function transcriptsRoutes(needs: TranscriptsNeeds): readonly Route[] {
  return [
    route({
      name: 'transcripts.receipt',
      method: 'GET',
      path: '/api/hooks/transcript-capture/:jobId',
      permission: 'remember',
      summary: 'How far the capture of a transcript is; never a word of it.',
      params: wire.byJob,
      query: wire.agentQuery,
      reply: wire.receiptReply,
      handle: ({ caller, params }) => readReceipt(needs, caller, params.jobId),
    }),
  ]
}
