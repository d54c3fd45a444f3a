import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Claims, issueToken } from '../../../kernel/auth/token.ts'
import { realHost } from '../../../kernel/host/host.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'

export interface TokenOptions {
  readonly role: Claims['role']
  readonly for?: string
  readonly project?: string
  readonly ttl?: number
  readonly name?: string
  readonly local?: boolean
}

const defaultTtlSeconds = 604_800

export async function create(call: Call<TokenOptions>): Promise<void> {
  const created = call.options.local ? await signLocally(call) : await requestToken(call)
  call.output.note(`Valid until ${created.expiresAt}; shown only once:`)
  call.output.result(created, () => created.token)
}

async function requestToken({ options, connect }: Call<TokenOptions>) {
  const { role, for: agent, project, ttl: ttlSeconds, name: sub } = options
  const client = await connect()
  return client.service.createToken({ role, scope: { agent, project }, ttlSeconds, sub })
}

/** Creates the first token of a workspace. The secret is readable only by its owner. */
async function signLocally({ options, environment }: Call<TokenOptions>) {
  const { role, for: agent, project, ttl: ttlSeconds = defaultTtlSeconds, name: sub } = options
  const file = join(environment.workspace, '.daemon', 'auth-secret')
  const secret = await readFile(file).catch((error: Error) => {
    const message = `the secret cannot be read: ${error.message}`
    throw new CliError('refused', 'no_secret', message, 'The daemon creates it: reverie start')
  })
  return issueToken(
    { role, scope: { agent, project }, ttlSeconds, sub },
    { secret, now: realHost.now() },
  )
}
