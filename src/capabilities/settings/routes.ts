import { type Route, route } from '../../kernel/http/route.ts'
import { changeSettings } from './change.ts'
import { describeSettings } from './describe.ts'
import type { SettingsNeeds } from './needs.ts'
import { readSettings } from './read.ts'
import { changeBody, changeReply, schemaReply, settingsReply } from './schemas.ts'

export function settingsRoutes(needs: SettingsNeeds): readonly Route[] {
  return [
    route({
      name: 'settings.schema',
      method: 'GET',
      path: '/api/settings/schema',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Describe all settings as a JSON Schema.',
      reply: schemaReply,
      handle: async () => describeSettings(needs),
    }),
    route({
      name: 'settings.read',
      method: 'GET',
      path: '/api/settings',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'List the values of all settings with their sources.',
      reply: settingsReply,
      handle: () => readSettings(needs),
    }),
    route({
      name: 'settings.change',
      method: 'POST',
      path: '/api/settings',
      permission: 'admin',
      summary: 'Change settings in the file; comments and all other bytes stay.',
      body: changeBody,
      reply: changeReply,
      handle: ({ body }) => changeSettings(needs, body),
    }),
  ]
}
