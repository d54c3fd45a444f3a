import { allProjectsRead, type Route, route } from '../../kernel/http/route.ts'
import type { DreamingNeeds } from './needs.ts'
import { readPage, readPages } from './pages/read-page.ts'
import * as reply from './replies.ts'
import * as wire from './schemas.ts'

/** Pages of quotes about entities. */
export function pageRoutes(needs: DreamingNeeds): readonly Route[] {
  return [
    route({
      ...allProjectsRead,
      name: 'dream.pages',
      path: '/api/dream/pages',
      summary: 'List the pages of quotes about entities, those with more claims first.',
      query: wire.agentQuery,
      reply: reply.pagesReply,
      handle: ({ caller: { agentId } }) => readPages(needs, agentId),
    }),
    route({
      ...allProjectsRead,
      name: 'dream.page',
      path: '/api/dream/pages/:name',
      summary: 'Read what the evidence says about an entity: values, changes, decisions, mentions.',
      params: wire.byName,
      query: wire.agentQuery,
      reply: reply.pageReply,
      handle: ({ caller: { agentId }, params: { name } }) => readPage(needs, agentId, name),
    }),
  ]
}
