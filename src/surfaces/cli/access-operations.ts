import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'

/** The commands about API keys that send one request. */
export const accessOperations: readonly Operation[] = [
  {
    command: 'keys list',
    route: 'GET /api/auth/api-keys',
    summary: 'List the API keys without their texts',
    columns: {
      id: 'id',
      prefix: 'prefix',
      name: 'name',
      role: 'role',
      agent: 'agentId',
      used: 'lastUsedAt',
      ended: 'revokedAt',
      ends: 'expiresAt',
    },
    empty: 'There is no API key. Create one: reverie keys create NAME',
  },
  {
    command: 'keys revoke',
    route: 'DELETE /api/auth/api-keys/:id',
    summary: 'Revoke an API key immediately',
    examples: ['reverie keys revoke 0195f3a0 --yes'],
    noun: 'API key',
    listedBy: 'reverie keys list',
    confirm: 'Revoke the API key? Programs that use it are refused at once.',
    render: ({ name, prefix }) =>
      `${colors.green('✓')} Revoked ${toLine(String(name))} (${toLine(String(prefix))})`,
  },
]
