import { type Route, route } from '../../kernel/http/route.ts'
import { giveFeedback } from './feedback.ts'
import { feedbackBody, feedbackReply, toFeedbackReply } from './feedback-schemas.ts'
import { assertWritable } from './freeze.ts'
import { readMostUsed } from './most-used.ts'
import type { MemoryNeeds } from './needs.ts'
import * as wire from './overview-schemas.ts'
import { readReviewQueue } from './review-queue.ts'
import { readTimeline } from './timeline.ts'

/** Routes for usage, review and feedback. */
export function overviewRoutes(needs: MemoryNeeds): readonly Route[] {
  return [
    route({
      name: 'memory.most-used',
      method: 'GET',
      path: '/api/memories/most-used',
      permission: 'recall',
      summary: 'List the most recalled memories.',
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
      summary: 'Count memories and changes of today, the last week and the last month.',
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
      summary:
        'List memories that are due for review, disputed or of low confidence (at most 200).',
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
      summary: 'Rate recalled memories. A rating counts once a session and can be withdrawn.',
      body: feedbackBody,
      reply: feedbackReply,
      handle: async ({ caller, body }) => toFeedbackReply(await giveFeedback(needs, caller, body)),
    }),
  ]
}
