import { type Route, route } from '../../kernel/http/route.ts'
import { answerList } from './answer-list.ts'
import { batchForget } from './batch-forget.ts'
import { batchUpdate } from './batch-update.ts'
import * as wire from './collection-schemas.ts'
import { assertExecutionWritable, assertWritable } from './freeze.ts'
import { readLineage } from './lineage.ts'
import type { MemoryNeeds } from './needs.ts'
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
      bodyPrecondition: ({ body }) => assertExecutionWritable(needs.config(), body),
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
