import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'

/** The commands about secrets that send one request. */
export const secretOperations: readonly Operation[] = [
  {
    command: 'secret list',
    route: 'GET /api/secrets',
    summary: 'List the names of the stored secrets',
    after: 'secret put',
    render: ({ secrets }) =>
      Array.isArray(secrets) && secrets.length > 0
        ? secrets.map((name) => toLine(String(name))).join('\n')
        : 'No secret is stored. Store one: reverie secret put NAME',
  },
  {
    command: 'secret delete',
    route: 'DELETE /api/secrets/:name',
    summary: 'Delete a secret',
    examples: ['reverie secret delete GREETING_TOKEN --yes'],
    after: 'secret has',
    render: ({ name }) => `${colors.green('✓')} Deleted ${toLine(String(name))}`,
  },
]
