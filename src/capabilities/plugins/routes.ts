import { type Route, route } from '../../kernel/http/route.ts'
import type { AuditLog } from './audit/audit-log.ts'
import type { createContentReader } from './contributions.ts'
import { describePlugin, listContributions } from './describe.ts'
import type { Registry } from './registry.ts'
import * as wire from './schemas.ts'
import { toRecord } from './state.ts'

interface RoutesNeeds {
  readonly registry: Registry
  readonly audit: Pick<AuditLog, 'list'>
  readonly readContents: ReturnType<typeof createContentReader>
  readonly version: string
}

export function pluginsRoutes(needs: RoutesNeeds): readonly Route[] {
  return [...readRoutes(needs), ...changeRoutes(needs)]
}

function readRoutes(needs: RoutesNeeds): readonly Route[] {
  const { registry, audit, version } = needs
  return [
    route({
      name: 'plugins.list',
      method: 'GET',
      path: '/api/plugins',
      permission: 'admin',
      summary:
        'List the plugins with their state, their capabilities and their surfaces in effect.',
      reply: wire.pluginsReply,
      handle: async () => ({ plugins: registry.list().map((each) => toRecord(each, version)) }),
    }),
    route({
      name: 'plugins.audit',
      method: 'GET',
      path: '/api/plugins/audit',
      permission: 'admin',
      summary: 'List recorded events of plugins and secrets, newest first.',
      query: wire.auditQuery,
      reply: wire.auditReply,
      handle: async ({ query }) => {
        const events = [...(await audit.list(query))]
        return { events, count: events.length }
      },
    }),
    route({
      name: 'plugins.prompt-contributions',
      method: 'GET',
      path: '/api/plugins/prompt-contributions',
      permission: 'admin',
      summary: 'List the texts that plugins add to prompts.',
      reply: wire.contributionsReply,
      handle: async () => {
        const contributions = [...(await listContributions(needs))]
        return { contributions, activeCount: contributions.length }
      },
    }),
    route({
      name: 'plugins.read',
      method: 'GET',
      path: '/api/plugins/:id',
      permission: 'admin',
      summary: 'Read one plugin.',
      params: wire.byId,
      reply: wire.record,
      handle: async ({ params }) => toRecord(registry.get(params.id), version),
    }),
    route({
      name: 'plugins.diagnostics',
      method: 'GET',
      path: '/api/plugins/:id/diagnostics',
      permission: 'admin',
      summary: 'Read the manifest of a plugin, and what of it is in effect and why.',
      params: wire.byId,
      reply: wire.diagnosticsReply,
      handle: ({ params }) => describePlugin(needs, params.id),
    }),
  ]
}

function changeRoutes({ registry, version }: RoutesNeeds): readonly Route[] {
  return [
    route({
      name: 'plugins.enable',
      method: 'PATCH',
      path: '/api/plugins/:id',
      permission: 'admin',
      limit: 'admin',
      summary: 'Enable or disable a plugin, from the next call on.',
      params: wire.byId,
      body: wire.enableBody,
      reply: wire.pluginReply,
      handle: async ({ params, body }) => ({
        plugin: toRecord(await registry.setEnabled(params.id, body.enabled), version),
      }),
    }),
    route({
      name: 'plugins.grants',
      method: 'PUT',
      path: '/api/plugins/:id/grants',
      permission: 'admin',
      limit: 'admin',
      summary: 'Set the capabilities that a plugin may use, from the next call on.',
      params: wire.byId,
      body: wire.grantsBody,
      reply: wire.pluginReply,
      handle: async ({ params, body }) => ({
        plugin: toRecord(await registry.setGrants(params.id, body.capabilities), version),
      }),
    }),
    route({
      name: 'plugins.rescan',
      method: 'POST',
      path: '/api/plugins/rescan',
      permission: 'admin',
      limit: 'admin',
      summary: 'Read the folder `plugins` of the workspace again.',
      reply: wire.pluginsReply,
      handle: async () => {
        await registry.rescan()
        return { plugins: registry.list().map((each) => toRecord(each, version)) }
      },
    }),
  ]
}
