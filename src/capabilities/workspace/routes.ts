import { type Route, route } from '../../kernel/http/route.ts'
import { createBackUp } from './back-up.ts'
import { readIdentity } from './identity.ts'
import { listFiles } from './list-files.ts'
import type { WorkspaceNeeds } from './needs.ts'
import { saveFile } from './save-file.ts'
import * as wire from './schemas.ts'

/** Each character of the content may take six in JSON. */
const largestBodyBytes = 7 * 1_048_576

export function workspaceRoutes(needs: WorkspaceNeeds): readonly Route[] {
  const backUp = createBackUp(needs)
  return [
    route({
      name: 'workspace.files',
      method: 'GET',
      path: '/api/config',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'The settings and the texts at the root of the workspace.',
      reply: wire.filesReply,
      handle: async () => ({ files: await listFiles(needs) }),
    }),
    route({
      name: 'workspace.save',
      method: 'POST',
      path: '/api/config',
      permission: 'admin',
      bodyLimit: largestBodyBytes,
      summary: 'Saves one of these files; settings that would not be taken are not written.',
      body: wire.saveBody,
      reply: wire.savedReply,
      handle: ({ body }) => saveFile(needs, body),
    }),
    route({
      name: 'workspace.features',
      method: 'GET',
      path: '/api/features',
      permission: 'recall',
      summary: 'The features that the settings turn on and off.',
      reply: wire.featuresReply,
      handle: async () => needs.settings.features(),
    }),
    route({
      name: 'workspace.identity',
      method: 'GET',
      path: '/api/identity',
      permission: 'recall',
      summary: 'Who the agent is, by IDENTITY.md.',
      reply: wire.identityReply,
      handle: () => readIdentity(needs),
    }),
    route({
      name: 'workspace.backup',
      method: 'POST',
      path: '/api/workspace/backup',
      permission: 'admin',
      limit: 'admin',
      summary: 'Makes one verified archive of the whole workspace.',
      body: wire.backupBody,
      reply: wire.backupReply,
      handle: ({ body }) => backUp(body),
    }),
  ]
}
