import type { Operation } from './operation.ts'
import type { Columns } from './render.ts'

const pluginColumns: Columns = {
  id: 'id',
  state: 'state',
  version: 'version',
  source: 'source',
  granted: ({ grantedCapabilities, declaredCapabilities }) =>
    `${countOf(grantedCapabilities)} of ${countOf(declaredCapabilities)}`,
  reason: 'stateReason',
}

function countOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

/** The commands about plugins that send one request. */
export const pluginOperations: readonly Operation[] = [
  {
    command: 'plugin list',
    route: 'GET /api/plugins',
    summary: 'List the plugins with their state and their granted capabilities',
    after: 'secret key',
    columns: pluginColumns,
  },
  {
    command: 'plugin rescan',
    route: 'POST /api/plugins/rescan',
    summary: 'Read the folder `plugins` of the workspace again',
    after: 'plugin revoke',
    columns: pluginColumns,
  },
  {
    command: 'plugin audit',
    route: 'GET /api/plugins/audit',
    summary: 'List recorded events of plugins and secrets, newest first',
    examples: ['reverie plugin audit --event secret.exec_started --limit 20'],
    options: { pluginId: 'plugin' },
    after: 'plugin rescan',
    columns: {
      time: 'timestamp',
      event: 'event',
      plugin: 'pluginId',
      result: 'result',
      agent: 'agentId',
      data: 'data',
    },
    empty: 'No event matches.',
  },
]
