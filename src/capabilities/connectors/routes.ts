import type { z } from 'zod'
import { Reply, type Route, route } from '../../kernel/http/route.ts'
import type { Connector } from './connector.ts'
import {
  createConnector,
  listAll,
  readConnector,
  readHealth,
  removeConnector,
  syncAll,
  syncConnector,
} from './manage.ts'
import type { ConnectorsNeeds } from './needs.ts'
import * as wire from './schemas.ts'

export function connectorRoutes(needs: ConnectorsNeeds): readonly Route[] {
  return [...readRoutes(needs), ...changeRoutes(needs), ...syncRoutes(needs)]
}

function readRoutes(needs: ConnectorsNeeds): readonly Route[] {
  const read = { method: 'GET', permission: 'authenticated' } as const
  return [
    route({
      ...read,
      name: 'connectors.list',
      path: '/api/connectors',
      summary: 'List the connectors of the agent, the newest first.',
      reply: wire.listReply,
      handle: async ({ caller }) => {
        const connectors = await listAll(needs, caller)
        return { connectors: connectors.map(toRow), count: connectors.length }
      },
    }),
    route({
      ...read,
      name: 'connectors.read',
      path: '/api/connectors/:id',
      summary: 'Read a connector with the state of its sync.',
      params: wire.byId,
      reply: wire.connectorRow,
      handle: async ({ caller, params }) => toRow(await readConnector(needs, caller, params.id)),
    }),
    route({
      ...read,
      name: 'connectors.health',
      path: '/api/connectors/:id/health',
      summary: 'Report the last sync of a connector and the number of its documents.',
      params: wire.byId,
      reply: wire.healthReply,
      handle: ({ caller, params }) => readHealth(needs, caller, params.id),
    }),
  ]
}

function changeRoutes(needs: ConnectorsNeeds): readonly Route[] {
  return [
    route({
      name: 'connectors.create',
      method: 'POST',
      path: '/api/connectors',
      permission: 'connectors',
      requiresUnscoped: true,
      requiresLocal: true,
      summary: 'Add a folder whose files become documents.',
      body: wire.createBody,
      reply: wire.createdReply,
      handle: async ({ caller, body }) =>
        new Reply(201, { id: await createConnector(needs, caller, body) }),
    }),
    route({
      name: 'connectors.delete',
      method: 'DELETE',
      path: '/api/connectors/:id',
      permission: 'connectors',
      summary: 'Delete a connector; its documents stay unless cascade is true.',
      params: wire.byId,
      query: wire.deleteQuery,
      reply: wire.deletedReply,
      handle: async ({ caller, params: { id }, query: { cascade = false } }) => {
        await removeConnector(needs, caller, { id, cascade })
        return { deleted: true as const }
      },
    }),
  ]
}

function syncRoutes(needs: ConnectorsNeeds): readonly Route[] {
  const start = { method: 'POST', permission: 'connectors', onInvalidBody: 'empty' } as const
  return [
    route({
      ...start,
      name: 'connectors.sync',
      path: '/api/connectors/:id/sync',
      summary: 'Read the new and changed files of a connector in the background.',
      params: wire.byId,
      reply: wire.syncReply,
      otherReplies: { 501: wire.notSupportedReply },
      handle: async ({ caller, params: { id } }) =>
        toSyncReply(await syncConnector(needs, caller, { id, mode: 'incremental' })),
    }),
    route({
      ...start,
      name: 'connectors.sync-full',
      path: '/api/connectors/:id/sync/full',
      summary:
        'Read every file of a connector again, and delete the documents of files that are gone.',
      params: wire.byId,
      query: wire.fullQuery,
      reply: wire.syncReply,
      otherReplies: { 501: wire.notSupportedReply },
      handle: async ({ caller, params: { id }, query: { confirm = false } }) =>
        toSyncReply(await syncConnector(needs, caller, { id, mode: 'full', confirm })),
    }),
    route({
      ...start,
      name: 'connectors.resync',
      path: '/api/connectors/resync',
      summary: 'Start a sync of each connector of the agent.',
      reply: wire.resyncReply,
      handle: async ({ caller }) => ({
        status: 'syncing' as const,
        ...(await syncAll(needs, caller)),
      }),
    }),
  ]
}

function toSyncReply(isQueued: boolean): z.input<typeof wire.syncReply> {
  return { status: 'syncing', ...(!isQueued && { message: 'Already syncing' as const }) }
}

function toRow(connector: Connector): z.input<typeof wire.connectorRow> {
  const { id, provider, displayName, settingsJson, enabled, cursorAt } = connector
  const settings = JSON.parse(settingsJson)
  return {
    id,
    provider,
    display_name: displayName,
    config_json: JSON.stringify({ id, provider, displayName, settings, enabled: enabled === 1 }),
    cursor_json: cursorAt === null ? null : JSON.stringify({ lastSyncAt: cursorAt }),
    status: connector.status,
    last_sync_at: connector.lastSyncAt,
    last_error: connector.lastError,
    agent_id: connector.agentId,
    project: connector.project,
    created_at: connector.createdAt,
    updated_at: connector.updatedAt,
  }
}
