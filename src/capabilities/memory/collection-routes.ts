import { type Route, route } from '../../kernel/http/route.ts'
import { batchForget } from './batch-forget.ts'
import { batchUpdate } from './batch-update.ts'
import * as wire from './collection-schemas.ts'
import { readDuplicates } from './deduplicate.ts'
import { giveFeedback } from './feedback.ts'
import { feedbackBody, feedbackReply, toFeedbackReply } from './feedback-schemas.ts'
import { answerList, readMostUsed, readReviewQueue, readTimeline } from './list.ts'
import type { MemoryNeeds } from './needs.ts'
import * as overview from './overview-schemas.ts'
import { readLineage } from './read.ts'
import { assertWritable } from './refusals.ts'
import { byId } from './schemas.ts'
import { writeNote } from './write-note.ts'

/** Routes for many memories, and for notes. */
export function collectionRoutes(needs: MemoryNeeds): readonly Route[] {
  const precondition = () => assertWritable(needs.config())
  return [
    route({
      name: 'memory.list',
      method: 'GET',
      path: '/api/memories',
      permission: 'recall',
      summary: 'List current memories that the agent may read, newest first.',
      query: wire.listQuery,
      reply: wire.listReply,
      handle: ({ caller, query }) => answerList(needs, caller, query),
    }),
    route({
      name: 'memory.lineage',
      method: 'GET',
      path: '/api/memory/:id/lineage',
      permission: 'recall',
      summary: 'List the memories that a memory superseded and that superseded it, newest first.',
      params: byId,
      query: wire.lineageQuery,
      reply: wire.lineageReply,
      handle: async ({ caller, params: { id }, query: { limit } }) =>
        wire.toLineageReply(id, await readLineage(needs, caller, { id, limit })),
    }),
    route({
      name: 'memory.forget-many',
      method: 'POST',
      path: '/api/memory/forget',
      permission: 'forget',
      // A preview writes nothing, so it is allowed while frozen.
      bodyPrecondition: ({ body }) => Object(body).mode === 'execute' && precondition(),
      limit: 'batchForget',
      summary: 'Preview or soft-delete the memories of a selection.',
      body: wire.batchForgetBody,
      reply: wire.batchForgetReply,
      handle: ({ caller, body }) => batchForget(needs, caller, body),
    }),
    route({
      name: 'memory.update-many',
      precondition,
      method: 'POST',
      path: '/api/memory/modify',
      permission: 'modify',
      limit: 'modify',
      summary: 'Update up to 200 memories, each independently.',
      body: wire.batchUpdateBody,
      reply: wire.batchUpdateReply,
      handle: async ({ caller, body }) =>
        wire.toPatchedReply(await batchUpdate(needs, caller, body)),
    }),
    route({
      name: 'memory.write-note',
      precondition,
      method: 'POST',
      path: '/api/memory/codex-native-note',
      permission: 'remember',
      requiresUnscoped: true,
      requiresLocal: true,
      summary: 'Write a note to the folder that the harness reads.',
      body: wire.noteBody,
      reply: wire.noteReply,
      handle: async ({ body }) => wire.toNoteReply(await writeNote(needs, body)),
    }),
  ]
}

/** Routes for usage, review and feedback. */
export function overviewRoutes(needs: MemoryNeeds): readonly Route[] {
  return [
    route({
      name: 'memory.duplicates',
      method: 'GET',
      path: '/api/repair/dedup-stats',
      permission: 'admin',
      summary: 'Count the memories of all agents that repeat the content of another one.',
      reply: overview.duplicatesReply,
      handle: () => readDuplicates(needs),
    }),
    route({
      name: 'memory.most-used',
      method: 'GET',
      path: '/api/memories/most-used',
      permission: 'recall',
      summary: 'List the most recalled memories.',
      query: overview.usageRankingQuery,
      reply: overview.usageRankingReply,
      handle: async ({ caller, query }) =>
        overview.toUsageRanking(await readMostUsed(needs, caller, query)),
    }),
    route({
      name: 'memory.timeline',
      method: 'GET',
      path: '/api/memory/timeline',
      permission: 'recall',
      summary: 'Count memories and changes of today, the last week and the last month.',
      query: overview.timelineQuery,
      reply: overview.timelineReply,
      handle: async ({ caller, query }) =>
        overview.toTimelineReply(caller.agentId, await readTimeline(needs, caller, query)),
    }),
    route({
      name: 'memory.review-queue',
      method: 'GET',
      path: '/api/memory/review-queue',
      permission: 'recall',
      summary:
        'List memories that are due for review, disputed or of low confidence (at most 200).',
      query: overview.reviewQuery,
      reply: overview.reviewReply,
      handle: async ({ caller, query }) =>
        overview.toReviewReply(await readReviewQueue(needs, caller, query)),
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
