import { realHost } from '../../../kernel/host/host.ts'
import { type Call, command, option } from '../command.ts'

interface KeyOptions {
  readonly role: (typeof roles)[number]
  readonly for?: string
  readonly project?: readonly string[]
  readonly only?: string
  readonly ttl?: number
  readonly harness?: string
}

const roles = ['admin', 'operator', 'agent', 'readonly'] as const

export const createKey = command<KeyOptions>({
  usage: 'keys create <name>',
  summary: 'Create an API key, which can be revoked',
  options: [
    option('--role <role>', 'role of the key', { choices: roles, default: 'agent' }),
    option('--for <agent>', 'limit the key to this agent; the permission admin overrides it'),
    option('--project <name>', 'limit the key to this project; repeatable', { type: 'list' }),
    option('--only <permissions>', 'only these permissions of the role, separated by commas'),
    option('--ttl <seconds>', 'lifetime; until it is revoked by default', { type: 'count' }),
    option('--harness <name>', 'name of its harness in the records'),
  ],
  examples: [
    'reverie keys create nightly-notes',
    'reverie keys create laptop --for ada --ttl 7776000',
  ],
  run: create,
})

async function create({ args, options, output, connect }: Call<KeyOptions>): Promise<void> {
  const [name = ''] = args
  const { for: agentId, harness, only, project: allowedProjects, role, ttl } = options
  const body = {
    name,
    role,
    agentId,
    allowedProjects,
    permissions: only?.split(',').map((permission) => permission.trim()),
    harness,
    expiresAt: ttl && new Date(realHost.now().getTime() + ttl * 1000).toISOString(),
  }
  const client = await connect()
  const created = await client.call('POST /api/auth/api-keys', { body })
  const end = created.expiresAt === null ? 'until it is revoked' : `until ${created.expiresAt}`
  output.note(`Valid ${end}; shown only once:`)
  output.result(created, () => created.key)
}
