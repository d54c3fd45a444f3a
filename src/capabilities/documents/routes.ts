import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { addDocument } from './add-document.ts'
import { maxContentLimit } from './config.ts'
import { deleteDocument } from './delete-document.ts'
import type { AddNeeds } from './needs.ts'
import { listAll, listChunks, readDocument, readJob } from './read-documents.ts'
import * as wire from './schemas.ts'
import { toAddedReply, toAddRequest } from './wire-fields.ts'

const permission = 'documents'
const bodyLimit = maxContentLimit + 65_536

export function documentRoutes(needs: AddNeeds): readonly Route[] {
  return [
    route({
      name: 'documents.add',
      method: 'POST',
      path: '/api/documents',
      permission,
      summary: 'Add a text, a URL or a file; its text becomes searchable in the background.',
      bodyLimit,
      body: wire.addBody,
      reply: wire.addedReply,
      handle: async ({ caller, body }) => {
        const added = await addDocument(needs, caller, toAddRequest(body))
        return new Reply(added.deduplicated ? 200 : 201, toAddedReply(added))
      },
    }),
    route({
      name: 'documents.list',
      method: 'GET',
      path: '/api/documents',
      permission,
      summary: 'List the documents of the agent, the newest first.',
      query: wire.listQuery,
      reply: wire.listReply,
      handle: ({ caller, query }) => listAll(needs, caller, query),
    }),
    route({
      name: 'documents.read',
      method: 'GET',
      path: '/api/documents/:id',
      permission,
      summary: 'Read a document with its text.',
      params: wire.byId,
      reply: wire.fullRow,
      handle: ({ caller, params }) => readDocument(needs, caller, params.id),
    }),
    route({
      name: 'documents.chunks',
      method: 'GET',
      path: '/api/documents/:id/chunks',
      permission,
      summary: 'List the chunks of a document in their order.',
      params: wire.byId,
      reply: wire.chunksReply,
      handle: ({ caller, params }) => listChunks(needs, caller, params.id),
    }),
    route({
      name: 'documents.delete',
      method: 'DELETE',
      path: '/api/documents/:id',
      permission,
      summary: 'Delete a document and forget its chunks that no other document shares.',
      params: wire.byId,
      query: wire.deleteQuery,
      reply: wire.deletedReply,
      handle: async ({ caller, params, query }) => {
        const memoriesRemoved = await deleteDocument(needs, caller, { ...params, ...query })
        return { deleted: true as const, memoriesRemoved }
      },
    }),
    route({
      name: 'documents.job',
      method: 'GET',
      path: '/api/memory/jobs/:id',
      permission,
      summary: 'Read the state of the job that reads a document.',
      params: wire.byJob,
      reply: wire.jobReply,
      handle: ({ caller, params }) => readJob(needs, caller, params.id),
    }),
  ]
}
