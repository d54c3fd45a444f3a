import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realHost } from '../../../kernel/host/host.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'

export interface TokenOptions {
  readonly role: string
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

/** Whoever can read the secret can be anybody; it is how the first token of a workspace is made. */
async function signLocally({ options, environment }: Call<TokenOptions>) {
  const {
    role,
    for: agent,
    project,
    ttl = defaultTtlSeconds,
    name: sub = `token:${role}`,
  } = options
  const file = join(environment.workspace, '.daemon', 'auth-secret')
  const secret = await readFile(file).catch((error: Error) => {
    const message = `the secret cannot be read: ${error.message}`
    throw new CliError('refused', 'no_secret', message, 'The daemon creates it: reverie start')
  })
  const iat = Math.floor(realHost.now().getTime() / 1000)
  const exp = iat + ttl
  const payload = Buffer.from(JSON.stringify({ sub, role, scope: { agent, project }, iat, exp }))
  const encoded = payload.toString('base64url')
  const signature = createHmac('sha256', secret).update(encoded).digest('base64url')
  return { token: `${encoded}.${signature}`, expiresAt: new Date(exp * 1000).toISOString() }
}
