import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { renderDetail } from './render.ts'

const ofConnector = { noun: 'connector', listedBy: 'reverie connectors' }

/** The commands about connectors that send one request. */
export const connectorOperations: readonly Operation[] = [
  {
    command: 'connector list',
    route: 'GET /api/connectors',
    summary: 'List the connectors, the newest first',
    examples: ['reverie connectors'],
    after: 'connector add',
    columns: {
      id: ({ id }) => String(id).slice(0, 13),
      provider: 'provider',
      name: ({ display_name: name }) => toLine(String(name), 40),
      status: 'status',
      synced: ({ last_sync_at: at }) => at ?? 'never',
      error: ({ last_error: error }) => toLine(String(error ?? ''), 60),
    },
    empty: 'No connector is stored. Add one: reverie connector add FOLDER',
  },
  {
    command: 'connector show',
    route: 'GET /api/connectors/:id',
    summary: 'Show a connector with its settings and its last sync',
    examples: ['reverie connector show 0195f3a0'],
    ...ofConnector,
    render: ({ config_json: config, cursor_json: _, ...fields }) =>
      renderDetail({ ...fields, ...Object(JSON.parse(String(config))).settings }),
  },
  {
    command: 'connector health',
    route: 'GET /api/connectors/:id/health',
    summary: 'Show the last sync of a connector and the number of its documents',
    examples: ['reverie connector health 0195f3a0'],
    ...ofConnector,
  },
  {
    command: 'connector resync',
    route: 'POST /api/connectors/resync',
    summary: 'Read the new and changed files of all connectors',
    after: 'connector sync',
    render: ({ queued, total }) =>
      `${colors.green('✓')} Queued ${Object(queued).length} of ${String(total)} connectors`,
  },
  {
    command: 'connector delete',
    route: 'DELETE /api/connectors/:id',
    summary: 'Delete a connector; its documents stay unless --cascade is passed',
    examples: ['reverie connector delete 0195f3a0 --cascade --yes'],
    ...ofConnector,
    timeoutMs: 600_000,
    render: () => `${colors.green('✓')} Deleted`,
  },
]
