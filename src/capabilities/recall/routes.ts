import type { Caller } from '../../kernel/auth/caller.ts'
import { readProject } from '../../kernel/http/project-header.ts'
import { withFaultReply } from '../../kernel/http/replies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { precheckSave, type RecallVerbNeeds, recall } from './recall.ts'
import { answerWith, recallReply, textSearchReply } from './replies.ts'

import { type RecallRequest, recallBody, recallQuery, textSearchQuery } from './schemas.ts'
import { findSimilar, similarQuery, similarReply, toSimilarAnswer } from './similar.ts'
import { searchText } from './text-search.ts'

export function recallRoutes(needs: RecallVerbNeeds): readonly Route[] {
  const answerRecall = (caller: Caller, request: RecallRequest) =>
    withFaultReply({ error: 'Recall failed', results: [] }, needs.log, async () => {
      const recalled = await recall(needs, caller, request)
      return answerWith(recalled, recalled.meta.degradation)
    })
  const usesModel = () => needs.modelConfig().reranker.useExtractionModel
  return [
    route({
      name: 'recall.recall',
      method: 'POST',
      path: '/api/memory/recall',
      permission: 'recall',
      summary: 'Recall memories by relevance to a query.',
      bodyPrecondition: (sent) => precheckSave(needs, sent),
      limit: ({ body }) => (body.aggregate || usesModel() ? ['recallLlm'] : []),
      body: recallBody,
      reply: recallReply,
      handle: ({ caller, body, surface, headers, signal }) => {
        const preferredProject = readProject(headers)
        return answerRecall(caller, { ...body, surface, preferredProject, signal })
      },
    }),
    route({
      name: 'recall.search',
      method: 'GET',
      path: '/api/memory/search',
      permission: 'recall',
      summary: 'Recall via GET.',
      query: recallQuery,
      reply: recallReply,
      handle: ({ caller, query }) =>
        answerRecall(caller, { ...query, surface: 'api.memory.search' }),
    }),
    route({
      name: 'recall.text',
      method: 'GET',
      path: '/memory/search',
      permission: 'recall',
      summary: 'Search memories by FTS expression, or list them by filters.',
      query: textSearchQuery,
      reply: textSearchReply,
      handle: ({ caller, query }) =>
        withFaultReply({ error: 'Search failed', results: [] }, needs.log, () =>
          searchText(needs, caller, query),
        ),
    }),
    route({
      name: 'recall.similar',
      method: 'GET',
      path: '/memory/similar',
      permission: 'recall',
      summary: 'List the nearest neighbours of a memory by vector.',
      query: similarQuery,
      reply: similarReply,
      handle: async ({ caller, query }) => toSimilarAnswer(await findSimilar(needs, caller, query)),
    }),
  ]
}
