import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { issueToken } from '../../../kernel/auth/token.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'

export interface TokenOptions {
  readonly role: (typeof roles)[number]
  readonly for?: string
  readonly project?: string
  readonly only?: string
  readonly ttl?: number
  readonly name?: string
  readonly local?: boolean
}

const roles = ['admin', 'operator', 'agent', 'readonly'] as const
const defaultTtlSeconds = 604_800
const uselessScopeNote =
  'The permission admin overrides --for and --project. For a limited token, pass another --role, or --only.'

export const createToken = command<TokenOptions>({
  usage: 'token create',
  summary: 'Create a token',
  options: [
    option('--role <role>', 'role of the token', { choices: roles, isRequired: true }),
    option('--for <agent>', 'limit the token to this agent; the permission admin overrides it'),
    option(
      '--project <name>',
      'limit the token to this project; the permission admin overrides it',
    ),
    option('--only <permissions>', 'only these permissions of the role, separated by commas'),
    option('--ttl <seconds>', 'lifetime; seven days by default', { type: 'count' }),
    option('--name <subject>', 'subject of the token in the records'),
    option('--local', 'sign with the secret of this workspace, without a daemon or a token'),
  ],
  examples: [
    'reverie token create --role agent --for ada --ttl 86400',
    'reverie token create --role admin --only gateway --for ada',
    'reverie token create --role admin --local',
  ],
  run: create,
})

async function create(call: Call<TokenOptions>): Promise<void> {
  if (hasUselessScope(toRequest(call.options))) call.output.note(uselessScopeNote)
  const created = call.options.local ? await signLocally(call) : await requestToken(call)
  call.output.note(`Valid until ${created.expiresAt}; shown only once:`)
  call.output.result(created, () => created.token)
}

async function requestToken({ options, connect }: Call<TokenOptions>) {
  const client = await connect()
  const body = { ...toRequest(options), ttlSeconds: options.ttl }
  return client.call('POST /api/auth/token', { body })
}

function toRequest({ role, for: agent, project, only, name: sub }: TokenOptions) {
  const permissions = only?.split(',').map((permission) => permission.trim())
  return { role, scope: { agent, project }, permissions, sub }
}

/** Only the role `admin` has the permission `admin`. */
function hasUselessScope({ role, scope, permissions }: ReturnType<typeof toRequest>): boolean {
  const isScoped = scope.agent !== undefined || scope.project !== undefined
  return role === 'admin' && isScoped && (permissions?.includes('admin') ?? true)
}

/** Creates the first token of a workspace. The secret is readable only by its owner. */
async function signLocally({ options, environment }: Call<TokenOptions>) {
  const file = join(environment.workspace, '.daemon', 'auth-secret')
  const secret = await readFile(file).catch((error: Error) => {
    const message = `the secret cannot be read: ${error.message}`
    throw new CliError('refused', 'no_secret', message, 'The daemon creates it: reverie start')
  })
  return issueLocally(
    { ...toRequest(options), ttlSeconds: options.ttl ?? defaultTtlSeconds },
    secret,
  )
}

function issueLocally(request: Parameters<typeof issueToken>[0], secret: Buffer) {
  try {
    return issueToken(request, { secret, now: realHost.now() })
  } catch (error) {
    if (error instanceof Refusal) throw new CliError('usage', error.code, error.message)
    throw error
  }
}
