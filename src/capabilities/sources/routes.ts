import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { draftChatOf } from './kinds/chat/draft.ts'
import { draftCodeHost, toCodeHostRoot } from './kinds/code-host/settings.ts'
import { draftVault } from './kinds/notes-vault/draft.ts'
import { draftWeb } from './kinds/web/draft.ts'
import { draftWiki, toWikiRoot } from './kinds/wiki/settings.ts'
import {
  addSource,
  deleteSource,
  findByRoot,
  indexSource,
  listSources,
  type ManageNeeds,
  pauseSource,
  readHealth,
  readSource,
  resumeSource,
} from './manage.ts'
import * as wire from './schemas.ts'
import type { SourceDraft } from './source.ts'

export interface RoutesNeeds extends ManageNeeds {
  readonly home: string
  readonly allowedOrigins: () => readonly string[]
}

export function sourcesRoutes(needs: RoutesNeeds): readonly Route[] {
  return [...readRoutes(needs), ...addRoutes(needs), ...remoteRoutes(needs), ...changeRoutes(needs)]
}

function readRoutes(needs: RoutesNeeds): readonly Route[] {
  return [
    route({
      name: 'sources.list',
      method: 'GET',
      path: '/api/sources',
      permission: 'recall',
      summary: 'List the sources of the agent with their last run.',
      query: wire.agentQuery,
      reply: wire.listReply,
      handle: ({ caller }) => listSources(needs, caller),
    }),
    route({
      name: 'sources.read',
      method: 'GET',
      path: '/api/sources/:sourceId',
      permission: 'recall',
      summary: 'Read a source with its last runs.',
      params: wire.bySource,
      query: wire.agentQuery,
      reply: wire.showReply,
      handle: ({ caller, params }) => readSource(needs, caller, params.sourceId),
    }),
    route({
      name: 'sources.health',
      method: 'GET',
      path: '/api/sources/:sourceId/health',
      permission: 'recall',
      summary: 'Report what a source has indexed, what failed, and what it may not read.',
      params: wire.bySource,
      query: wire.agentQuery,
      reply: wire.healthReply,
      handle: ({ caller, params }) => readHealth(needs, caller, params.sourceId),
    }),
  ]
}

function addRoutes(needs: RoutesNeeds): readonly Route[] {
  return [
    route({
      name: 'sources.add-notes-vault',
      method: 'POST',
      path: '/api/sources/notes-vault',
      permission: 'modify',
      limit: 'modify',
      requiresUnscoped: true,
      requiresLocal: true,
      summary: 'Add a folder of Markdown notes, or update it, and index it.',
      body: wire.vaultBody,
      reply: wire.addedReply,
      otherReplies: { 500: wire.failedReply },
      handle: async ({ caller: { agentId }, body: { name, excludeGlobs, path } }) => {
        const draft = await draftVault({ agentId, name, excludeGlobs, path }, needs.home)
        return new Reply(202, await addSource(needs, draft))
      },
    }),
  ]
}

/** Sources on the network. Their settings name secrets and hold none. */
function remoteRoutes(needs: RoutesNeeds): readonly Route[] {
  const add = {
    method: 'POST',
    permission: 'modify',
    limit: 'modify',
    requiresUnscoped: true,
    reply: wire.addedReply,
    otherReplies: { 500: wire.failedReply },
  } as const
  const save = async (toDraft: () => SourceDraft | Promise<SourceDraft>) =>
    new Reply(202, await addSource(needs, await toDraft()))
  return [
    route({
      ...add,
      name: 'sources.add-web',
      path: '/api/sources/web',
      summary: 'Add a web page, or update it, and index it.',
      body: wire.webBody,
      handle: ({ caller: { agentId }, body: { url, name, maxPages } }) =>
        save(() => draftWeb({ agentId, url, name, maxPages }, needs.allowedOrigins())),
    }),
    route({
      ...add,
      name: 'sources.add-code-host',
      path: '/api/sources/code-host',
      summary: 'Add repositories of a code host, or update them, and index them.',
      body: wire.codeHostBody,
      handle: ({ caller: { agentId }, body: { agentId: _, agent_id: __, ...body } }) =>
        save(async () => {
          const root = toCodeHostRoot(body.repos)
          return draftCodeHost({ ...body, agentId }, await findByRoot(needs, { agentId, root }))
        }),
    }),
    route({
      ...add,
      name: 'sources.add-chat',
      path: '/api/sources/chat',
      summary: 'Add servers of a chat, or update them, and index them.',
      body: wire.chatBody,
      handle: ({ body: { agentId: _, agent_id: __, ...body }, ...call }) =>
        save(() => draftChatOf(needs, { ...call, body })),
    }),
    route({
      ...add,
      name: 'sources.add-wiki',
      path: '/api/sources/wiki',
      summary: 'Add the pages of a wiki, or update them, and index them.',
      body: wire.wikiBody,
      handle: ({ caller: { agentId }, body: { name, tokenRef, maxPages } }) =>
        save(async () => {
          const existing = await findByRoot(needs, { agentId, root: toWikiRoot(tokenRef) })
          return draftWiki({ agentId, name, tokenRef, maxPages }, existing)
        }),
    }),
  ]
}

function changeRoutes(needs: RoutesNeeds): readonly Route[] {
  const change = {
    method: 'POST',
    permission: 'modify',
    limit: 'modify',
    params: wire.bySource,
    query: wire.agentQuery,
    onInvalidBody: 'empty',
  } as const
  return [
    route({
      ...change,
      name: 'sources.index',
      path: '/api/sources/:sourceId/index',
      summary: 'Queue an index run of a source.',
      reply: wire.jobReply,
      handle: async ({ caller, params }) =>
        new Reply(202, await indexSource(needs, caller, params.sourceId)),
    }),
    route({
      ...change,
      name: 'sources.pause',
      path: '/api/sources/:sourceId/pause',
      summary: 'Pause a source: end its run and start no other until it is resumed.',
      reply: wire.changedReply,
      otherReplies: { 500: wire.failedReply },
      handle: ({ caller, params }) => pauseSource(needs, caller, params.sourceId),
    }),
    route({
      ...change,
      name: 'sources.resume',
      path: '/api/sources/:sourceId/resume',
      summary: 'Resume a paused source and index it.',
      reply: wire.changedReply,
      otherReplies: { 500: wire.failedReply },
      handle: ({ caller, params }) => resumeSource(needs, caller, params.sourceId),
    }),
    route({
      ...change,
      name: 'sources.delete',
      method: 'DELETE',
      path: '/api/sources/:sourceId',
      summary: 'Delete a source with all that was indexed of it. Its files stay.',
      query: wire.deleteQuery,
      reply: wire.deletedReply,
      otherReplies: { 202: wire.deletedReply },
      handle: async ({ caller, params, query }) => {
        const deleted = await deleteSource(needs, caller, { ...params, ...query })
        return new Reply('pending' in deleted ? 202 : 200, deleted)
      },
    }),
  ]
}
