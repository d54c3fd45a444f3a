import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { toWireNames } from '../../kernel/http/wire-values.ts'
import { type Control, controlImport } from './control-import.ts'
import { createImport } from './create-import.ts'
import { exportTranscripts } from './export/export-transcripts.ts'
import type { ImportsNeeds } from './needs.ts'
import { listImports, listRejections, readImport, reconcile } from './read-import.ts'
import * as wire from './schemas.ts'
import { appendChunk } from './upload/append.ts'
import { finalizeFile } from './upload/finalize.ts'
import { putFile } from './upload/put.ts'
import { readContent } from './upload/read-chunks.ts'
import { resetFile } from './upload/reset.ts'

const base = '/api/sources/imports'
const filePath = `${base}/:jobId/files/:fileId` as const
/** A chunk above its own limit gets a reply with its code. */
const maxPatchBytes = 16_777_216
const maxPutBytes = 68_719_476_736

export function importsRoutes(needs: ImportsNeeds): readonly Route[] {
  return [...jobRoutes(needs), ...uploadRoutes(needs), ...controlRoutes(needs)]
}

function jobRoutes(needs: ImportsNeeds): readonly Route[] {
  return [
    route({
      name: 'imports.create',
      method: 'POST',
      path: base,
      permission: 'modify',
      summary: 'Create an import of conversations that waits for its files.',
      query: wire.agentQuery,
      body: wire.createBody,
      reply: wire.createdReply,
      handle: async ({ caller, body, headers }) => {
        const bodyBytes = Number(headers['content-length'] ?? 0)
        const { job, files } = await createImport(needs, caller, { ...body, bodyBytes })
        const { id, agentId, state, duplicateMode } = job
        return new Reply(201, { id, jobId: id, agentId, state, duplicateMode, files })
      },
    }),
    route({
      name: 'imports.list',
      method: 'GET',
      path: base,
      permission: 'modify',
      summary: 'List the newest imports of conversations.',
      query: wire.agentQuery,
      reply: wire.listReply,
      handle: async ({ caller }) => {
        const jobs = await listImports(needs, caller)
        return { imports: jobs.map((job) => ({ ...toWireNames(job), jobId: job.id })) }
      },
    }),
    route({
      name: 'imports.export',
      method: 'GET',
      path: `${base}/export/transcripts`,
      permission: 'modify',
      summary: 'Stream imported and captured conversations, one JSON line each.',
      query: wire.exportQuery,
      handle: async ({ caller, query }) =>
        exportTranscripts(needs, caller, {
          ...query,
          harnesses: query.harness,
          offset: query.offset ?? 0,
          messagesOnly: query.messagesOnly === 'true',
          json: query.json === 'true',
        }),
    }),
    route({
      name: 'imports.read',
      method: 'GET',
      path: `${base}/:jobId`,
      permission: 'modify',
      summary: 'Read an import with its files and counts.',
      params: wire.byJob,
      query: wire.agentQuery,
      reply: wire.readReply,
      handle: async ({ caller, params }) => {
        const { job, files } = await readImport(needs, caller, params.jobId)
        const { id, agentId, state, cleanupState } = job
        return {
          ...toWireNames({ cleanupState }),
          id,
          jobId: id,
          agentId,
          state,
          job: toWireNames(job),
          files: files.map((file) => toWireNames(file)),
        }
      },
    }),
    route({
      name: 'imports.rejections',
      method: 'GET',
      path: `${base}/:jobId/rejections`,
      permission: 'modify',
      summary: 'List the rejected lines of an import, at most 100 a page.',
      params: wire.byJob,
      query: wire.rejectionsQuery,
      reply: wire.rejectionsReply,
      handle: async ({ caller, params: { jobId }, query: { cursor } }) => {
        const page = await listRejections(needs, caller, { jobId, after: cursor })
        const rejections = page.rejections.map((record) => toWireNames(record))
        return { jobId, rejections, nextCursor: page.nextCursor }
      },
    }),
    route({
      name: 'imports.reconciliation',
      method: 'GET',
      path: `${base}/:jobId/reconciliation`,
      permission: 'modify',
      summary: 'Count the lines of an import by their outcome.',
      params: wire.byJob,
      query: wire.agentQuery,
      reply: wire.reconciliationReply,
      handle: async ({ caller, params: { jobId } }) => ({
        jobId,
        reconciliation: await reconcile(needs, caller, jobId),
        nextCursor: null,
      }),
    }),
  ]
}

function uploadRoutes(needs: ImportsNeeds): readonly Route[] {
  return [
    route({
      name: 'imports.append',
      method: 'PATCH',
      path: filePath,
      permission: 'modify',
      summary:
        'Append a chunk of at most 1 MiB to a file; its headers name the place and checksum.',
      accepts: 'bytes',
      describedBytes: { headers: wire.appendHeaders },
      bodyLimit: maxPatchBytes,
      params: wire.byFile,
      query: wire.agentQuery,
      reply: wire.appendedReply,
      handle: async ({ caller, params, headers, bytes }) => {
        const at = await appendChunk(needs, caller, { ...params, headers, bytes })
        return new Reply(200, at, {
          'upload-offset': String(at.offset),
          'upload-generation': String(at.generation),
        })
      },
    }),
    route({
      name: 'imports.put',
      method: 'PUT',
      path: filePath,
      permission: 'modify',
      summary: 'Upload and finalize a whole file in one request.',
      accepts: 'bytes',
      describedBytes: { headers: wire.putHeaders },
      bodyLimit: maxPutBytes,
      params: wire.byFile,
      query: wire.agentQuery,
      reply: wire.sealedReply,
      handle: async ({ caller, params, headers, bytes }) =>
        new Reply(201, await putFile(needs, caller, { ...params, headers, bytes })),
    }),
    route({
      name: 'imports.finalize',
      method: 'POST',
      path: `${filePath}/finalize`,
      permission: 'modify',
      summary: 'Verify a complete upload and close it.',
      params: wire.byFile,
      query: wire.agentQuery,
      reply: wire.sealedReply,
      handle: async ({ caller, params }) =>
        new Reply(201, await finalizeFile(needs, caller, params)),
    }),
    route({
      name: 'imports.reset',
      method: 'POST',
      path: `${filePath}/reset`,
      permission: 'modify',
      summary: 'Delete the bytes of an incomplete upload and begin its next generation.',
      params: wire.byFile,
      query: wire.agentQuery,
      reply: wire.resetReply,
      handle: async ({ caller, params }) => toWireNames(await resetFile(needs, caller, params)),
    }),
    route({
      name: 'imports.content',
      method: 'GET',
      path: `${filePath}/content`,
      permission: 'modify',
      summary: 'Stream the exact bytes of an uploaded file.',
      params: wire.byFile,
      query: wire.agentQuery,
      handle: ({ caller, params }) => readContent(needs, caller, params),
    }),
  ]
}

const summaries: Readonly<Record<Control, string>> = {
  start: 'Start an import whose files are finalized.',
  pause: 'Pause an import at the end of its batch.',
  resume: 'Continue a paused import.',
  retry: 'Repeat an import, with the lines that may be accepted now.',
  cancel: 'Cancel an import; conversations that are stored stay.',
}

function controlRoutes(needs: ImportsNeeds): readonly Route[] {
  return Object.entries(summaries).map(([name, summary]) => {
    const control = name as Control
    return route({
      name: `imports.${control}`,
      method: 'POST',
      path: `${base}/:jobId/${control}`,
      permission: 'modify',
      summary,
      params: wire.byJob,
      query: wire.agentQuery,
      reply: wire.controlReply,
      handle: ({ caller, params: { jobId } }) => controlImport(needs, caller, { jobId, control }),
    })
  })
}
