import { type Route, route } from '../../kernel/http/route.ts'
import type { FileImportNeeds } from './file-import/import-files.ts'
import { importForm } from './file-import/import-form.ts'
import * as file from './file-schemas.ts'
import { type PickerNeeds, pickPaths } from './pickers/pick.ts'
import * as wire from './schemas.ts'
import { exportSnapshot } from './snapshot/export-snapshot.ts'
import { importSnapshot, type SnapshotNeeds } from './snapshot/import-snapshot.ts'

type FileRoutesNeeds = FileImportNeeds &
  SnapshotNeeds & {
    readonly folder: string
    readonly background: SnapshotNeeds['db']
    readonly picker: PickerNeeds
  }

const mebibyte = 1_048_576
const maxFormBytes = 101 * mebibyte
const maxSnapshotBytes = 256 * mebibyte

/** Imports of files, the dialogs that choose them, and snapshots. */
export function fileRoutes(needs: FileRoutesNeeds): readonly Route[] {
  return [importRoute(needs), ...pickRoutes(needs), ...snapshotRoutes(needs)]
}

function importRoute(needs: FileRoutesNeeds): Route {
  return route({
    name: 'sources.import-files',
    method: 'POST',
    path: '/api/sources/import',
    permission: 'modify',
    limit: 'modify',
    accepts: 'bytes',
    describedBytes: { form: file.importForm },
    bodyLimit: maxFormBytes,
    summary: 'Import files of a form: each becomes a source whose text is searchable.',
    query: wire.agentQuery,
    reply: file.importReply,
    otherReplies: { 207: file.importReply, 500: wire.failedReply },
    handle: (call) => importForm(needs, call),
  })
}

function pickRoutes({ picker }: FileRoutesNeeds): readonly Route[] {
  const pick = {
    method: 'POST',
    permission: 'modify',
    requiresLocal: true,
    requiresUnscoped: true,
    body: file.pickBody,
    otherReplies: { 501: wire.failedReply },
    onInvalidBody: 'empty',
  } as const
  return [
    route({
      ...pick,
      name: 'sources.pick-directory',
      path: '/api/sources/pick-directory',
      summary: 'Open a dialog on the desktop of the service that chooses a folder.',
      reply: file.pickedFolder,
      handle: async ({ body: { title }, signal }) => {
        const [path = null] = await pickPaths(picker, { kind: 'directory', title, signal })
        return { path }
      },
    }),
    route({
      ...pick,
      name: 'sources.pick-files',
      path: '/api/sources/pick-files',
      summary: 'Open a dialog on the desktop of the service that chooses files.',
      reply: file.pickedFiles,
      handle: async ({ body: { title }, signal }) => ({
        paths: [...(await pickPaths(picker, { kind: 'files', title, signal }))],
      }),
    }),
  ]
}

function snapshotRoutes(needs: FileRoutesNeeds): readonly Route[] {
  return [
    route({
      name: 'sources.export-snapshot',
      method: 'GET',
      path: '/api/sources/:sourceId/snapshot',
      permission: 'modify',
      summary: 'Stream what a source has indexed, so that it can be restored.',
      params: wire.bySource,
      query: file.snapshotQuery,
      handle: ({ caller, params, query: { includeLocalChat = false } }) =>
        exportSnapshot(needs, caller, { ...params, includeLocalChat }),
    }),
    route({
      name: 'sources.import-snapshot',
      method: 'POST',
      path: '/api/sources/:sourceId/snapshot/import',
      permission: 'modify',
      limit: 'modify',
      bodyLimit: maxSnapshotBytes,
      summary: 'Replace what a source has indexed by a snapshot.',
      params: wire.bySource,
      query: file.snapshotQuery,
      body: file.snapshotBody,
      reply: file.snapshotReply,
      otherReplies: { 500: wire.failedReply },
      handle: ({ caller, params, query: { includeLocalChat = false }, body: snapshot }) =>
        importSnapshot(needs, caller, { ...params, includeLocalChat, snapshot }),
    }),
  ]
}
