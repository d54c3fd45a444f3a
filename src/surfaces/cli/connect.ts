import { type Client, createClient } from '../../client/client.ts'
import { findDaemonFile } from './daemon-file.ts'
import type { Environment } from './environment.ts'
import { CliError } from './failure.ts'

/** What every command may be told of the daemon. */
export interface GlobalOptions {
  readonly url?: string
  readonly token?: string
  readonly agent?: string
  readonly json?: boolean
}

/** Does no more than learn the address. */
export async function connect(environment: Environment, options: GlobalOptions): Promise<Client> {
  const url = options.url ?? environment.url ?? (await addressIn(environment))
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new CliError(
      'usage',
      'bad_address',
      `${url} is not an HTTP address`,
      'Example: http://127.0.0.1:3850',
    )
  return createClient({
    url,
    token: options.token ?? environment.token,
    agentId: options.agent ?? environment.agentId,
  })
}

async function addressIn({ workspace, port }: Environment): Promise<string> {
  return (await findDaemonFile(workspace))?.url ?? `http://127.0.0.1:${port}`
}
