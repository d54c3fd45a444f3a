import { readProject } from '../../kernel/http/project-header.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { withFaultReply } from '../../kernel/http/with-fault-reply.ts'
import { type RecallVerbNeeds, recall } from './recall.ts'
import { recallReply, textSearchReply, toRecallAnswer } from './replies.ts'
import { refuseSavingSent } from './saving.ts'
import { recallBody, recallQuery, textSearchQuery } from './schemas.ts'
import { findSimilar } from './similar.ts'
import { similarQuery, similarReply, toSimilarAnswer } from './similar-schemas.ts'
import { searchText } from './text-search.ts'

export function recallRoutes(needs: RecallVerbNeeds): readonly Route[] {
  const failed = { error: 'Recall failed', results: [] }
  return [
    route({
      name: 'recall.recall',
      method: 'POST',
      path: '/api/memory/recall',
      permission: 'recall',
      summary: 'Finds what is remembered about a question, the best first.',
      bodyPrecondition: (sent) => refuseSavingSent(needs, sent),
      limit: ({ body }) => (body.aggregate ? ['recallLlm'] : []),
      body: recallBody,
      reply: recallReply,
      handle: ({ caller, body, surface, headers }) => {
        const preferredProject = readProject(headers)
        return withFaultReply(failed, needs.log, async () =>
          toRecallAnswer(await recall(needs, caller, { ...body, surface, preferredProject })),
        )
      },
    }),
    route({
      name: 'recall.search',
      method: 'GET',
      path: '/api/memory/search',
      permission: 'recall',
      summary: 'The same by query string.',
      query: recallQuery,
      reply: recallReply,
      handle: ({ caller, query }) =>
        withFaultReply(failed, needs.log, async () =>
          toRecallAnswer(await recall(needs, caller, { ...query, surface: 'api.memory.search' })),
        ),
    }),
    route({
      name: 'recall.text',
      method: 'GET',
      path: '/memory/search',
      permission: 'recall',
      summary: 'Searches the words in the syntax of the index, or lists by filters alone.',
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
      summary: 'The memories whose meaning is nearest to that of one.',
      query: similarQuery,
      reply: similarReply,
      handle: async ({ caller, query }) => toSimilarAnswer(await findSimilar(needs, caller, query)),
    }),
  ]
}
