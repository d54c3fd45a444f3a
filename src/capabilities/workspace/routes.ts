import { type Route, route } from '../../kernel/http/route.ts'
import { createBackUp } from './backup.ts'
import { listFiles, saveFile } from './files.ts'
import { readIdentity } from './identity.ts'
import type { WorkspaceNeeds } from './needs.ts'

import * as wire from './schemas.ts'

/** JSON may escape one character as six. */
const maxBodyBytes = 7 * 1_048_576

export function workspaceRoutes(needs: WorkspaceNeeds): readonly Route[] {
  const backUp = createBackUp(needs)
  return [
    route({
      name: 'workspace.files',
      method: 'GET',
      path: '/api/config',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'List the settings and text files at the workspace root.',
      reply: wire.filesReply,
      handle: async () => ({ files: await listFiles(needs) }),
    }),
    route({
      name: 'workspace.save',
      method: 'POST',
      path: '/api/config',
      permission: 'admin',
      bodyLimit: maxBodyBytes,
      summary: 'Save one workspace file; invalid settings are rejected.',
      body: wire.saveBody,
      reply: wire.savedReply,
      handle: ({ body }) => saveFile(needs, body),
    }),
    route({
      name: 'workspace.features',
      method: 'GET',
      path: '/api/features',
      permission: 'recall',
      summary: 'List the feature flags of the settings.',
      reply: wire.featuresReply,
      handle: async () => needs.settings.features(),
    }),
    route({
      name: 'workspace.identity',
      method: 'GET',
      path: '/api/identity',
      permission: 'recall',
      summary: 'Read the identity of the agent from IDENTITY.md.',
      reply: wire.identityReply,
      handle: () => readIdentity(needs),
    }),
    route({
      name: 'workspace.backup',
      method: 'POST',
      path: '/api/workspace/backup',
      permission: 'admin',
      limit: 'admin',
      summary: 'Create a verified backup archive of the workspace.',
      body: wire.backupBody,
      reply: wire.backupReply,
      handle: ({ body }) => backUp(body),
    }),
  ]
}
