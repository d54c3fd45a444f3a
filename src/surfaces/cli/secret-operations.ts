import { neutralize } from '../../kernel/redaction/neutralize.ts'
import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import type { Row } from './render.ts'

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
    command: 'secret job',
    route: 'GET /api/secrets/exec/:jobId',
    summary: 'Show the state and the output of a command that runs with `--no-wait`',
    examples: ['reverie secret job 0195f3a0'],
    noun: 'job',
    listedBy: 'reverie plugin audit --event secret.exec_started',
    after: 'secret exec',
    render: ({ status, error, result }) => renderJob(Object(result), [status, error]),
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

function renderJob({ code, stdout, stderr }: Row, states: readonly unknown[]): string {
  const result = code === undefined ? [] : [`exit code ${code}`]
  const head = toLine([...states.filter(Boolean), ...result].join(', '), 300)
  const outputs = [stdout, stderr].map((text) => neutralize(String(text ?? '')).trimEnd())
  return [head, ...outputs.filter((text) => text !== '')].join('\n')
}
