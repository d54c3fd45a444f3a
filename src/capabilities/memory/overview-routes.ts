import { type Route, route } from '../../kernel/http/route.ts'
import { giveFeedback } from './feedback.ts'
import { feedbackBody, feedbackReply, toFeedbackReply } from './feedback-schemas.ts'
import { assertWritable } from './freeze.ts'
import { readMostUsed } from './most-used.ts'
import type { MemoryNeeds } from './needs.ts'
import * as wire from './overview-schemas.ts'
import { readReviewQueue } from './review-queue.ts'
import { readTimeline } from './timeline.ts'

/** What memories are worth to who uses them. */
export function overviewRoutes(needs: MemoryNeeds): readonly Route[] {
  return [
    route({
      name: 'memory.most-used',
      method: 'GET',
      path: '/api/memories/most-used',
      permission: 'recall',
      summary: 'The memories that were recalled most often.',
      query: wire.mostUsedQuery,
      reply: wire.mostUsedReply,
      handle: async ({ caller, query }) =>
        wire.toMostUsedReply(await readMostUsed(needs, caller, query)),
    }),
    route({
      name: 'memory.timeline',
      method: 'GET',
      path: '/api/memory/timeline',
      permission: 'recall',
      summary: 'How much was kept and done today, in the last week and in the last month.',
      query: wire.timelineQuery,
      reply: wire.timelineReply,
      handle: async ({ caller, query }) =>
        wire.toTimelineReply(caller.agentId, await readTimeline(needs, caller, query)),
    }),
    route({
      name: 'memory.review-queue',
      method: 'GET',
      path: '/api/memory/review-queue',
      permission: 'recall',
      summary: 'What is due for review, disputed or doubtful, at most 200.',
      query: wire.reviewQuery,
      reply: wire.reviewReply,
      handle: async ({ caller, query }) =>
        wire.toReviewReply(await readReviewQueue(needs, caller, query)),
    }),
    route({
      name: 'memory.feedback',
      method: 'POST',
      path: '/api/memory/feedback',
      permission: 'remember',
      precondition: () => assertWritable(needs.config()),
      limit: 'modify',
      summary: 'Says of recalled memories how useful they were; once a session, and reversible.',
      body: feedbackBody,
      reply: feedbackReply,
      handle: async ({ caller, body }) => toFeedbackReply(await giveFeedback(needs, caller, body)),
    }),
  ]
}
