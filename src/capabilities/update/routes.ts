import { type Route, route } from '../../kernel/http/route.ts'
import type { Check } from './check/check.ts'
import { assertConfiguration, configure, readConfiguration } from './configure.ts'
import { type RunNeeds, runUpdate } from './run/run-update.ts'
import * as wire from './schemas.ts'

const maxBodyBytes = 65_536

export function updateRoutes(needs: RunNeeds & { readonly check: Check }): readonly Route[] {
  return [
    route({
      name: 'update.check',
      method: 'GET',
      path: '/api/update/check',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Ask the configured source for a newer version; the reply is cached for an hour.',
      query: wire.checkQuery,
      reply: wire.checkReply,
      handle: ({ query }) => needs.check(query),
    }),
    route({
      name: 'update.config',
      method: 'GET',
      path: '/api/update/config',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Read the settings and the state of automatic updates.',
      reply: wire.configReply,
      handle: async () => readConfiguration(needs),
    }),
    route({
      name: 'update.configure',
      method: 'POST',
      path: '/api/update/config',
      permission: 'admin',
      limit: 'admin',
      bodyLimit: maxBodyBytes,
      bodyPrecondition: ({ body }) => assertConfiguration(body),
      summary: 'Change the settings of automatic updates in the settings file.',
      body: wire.configBody,
      reply: wire.configChangeReply,
      handle: ({ body }) => configure(needs, body),
    }),
    route({
      name: 'update.run',
      method: 'POST',
      path: '/api/update/run',
      permission: 'admin',
      limit: 'admin',
      bodyLimit: maxBodyBytes,
      summary:
        'Install a newer version next to the running one; a failure is a reply with its code.',
      body: wire.runBody,
      reply: wire.runReply,
      handle: ({ body }) => runUpdate(needs, body),
    }),
    route({
      name: 'update.status',
      method: 'GET',
      path: '/api/update/status',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'Report the progress of a running update.',
      reply: wire.progressReply,
      handle: async () => needs.state.progress,
    }),
  ]
}
