import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { type Environment, HookSkipped } from './environment.ts'

interface HookRequest {
  readonly address: string
  readonly path: string
  readonly runtimePath: string
  readonly body: Readonly<Record<string, unknown>>
}

type Reply = Readonly<Record<string, unknown>>

const maxBytes = 4 * 1_048_576

/** Throws `HookSkipped` without a connection, after a refusal, and for an invalid reply. */
export async function callDaemon(
  environment: Environment,
  hookRequest: HookRequest,
): Promise<Reply> {
  const response = await send(environment, hookRequest)
  const text = await readText(response)
  const status = response.statusCode ?? 0
  if (status >= 300) throw new HookSkipped('refused', `status ${status}: ${text.slice(0, 200)}`)
  try {
    const reply: unknown = JSON.parse(text)
    if (typeof reply === 'object' && reply !== null) return reply as Reply
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new HookSkipped('garbage', 'the reply is not a JSON object')
}

async function send(environment: Environment, hookRequest: HookRequest): Promise<IncomingMessage> {
  const url = new URL(hookRequest.path, hookRequest.address)
  // An `import` would load all exports, including a second HTTP client, which takes 50 ms.
  const { request } = process.getBuiltinModule(
    url.protocol === 'https:' ? 'node:https' : 'node:http',
  )
  const body = JSON.stringify(hookRequest.body)
  const headers = {
    ...toHeaders(environment, hookRequest),
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = request(url, { method: 'POST', headers, agent: false })
    outgoing.on('response', resolve)
    outgoing.on('error', (error) => reject(new HookSkipped('offline', error.message)))
    outgoing.end(body)
  })
}

function toHeaders({ token, agentId, isInternal }: Environment, { runtimePath }: HookRequest) {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-svc-runtime-path': runtimePath,
    'x-svc-actor-type': 'harness',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(agentId && { 'x-svc-agent-id': agentId }),
    ...(isInternal && { 'x-svc-no-hooks': '1' }),
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes) throw new HookSkipped('garbage', 'the reply is too long')
    }
  } catch (error) {
    throw error instanceof HookSkipped ? error : new HookSkipped('garbage', String(error))
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The URL from the environment, then the one in `daemon.json`, then the default port. */
export async function findAddress({ url, workspace, port }: Environment): Promise<string> {
  const address = url ?? (await readDaemonUrl(workspace)) ?? `http://127.0.0.1:${port}`
  if (/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return address
  throw new HookSkipped('usage', `${address} is not an HTTP address`)
}

async function readDaemonUrl(workspace: string): Promise<string | undefined> {
  try {
    const file = join(workspace, '.daemon', 'daemon.json')
    const { url } = Object(JSON.parse(await readFile(file, 'utf8')))
    return typeof url === 'string' ? url : undefined
  } catch {
    // An absent or unreadable file names no address.
    return undefined
  }
}

/** Later hooks read it to learn that the daemon accepts connections but does not answer. */
export interface StallMarker {
  /** True when a hook timed out at this address in the last 30 s. */
  readonly isSet: boolean
  set(): Promise<void>
  clear(): Promise<void>
}

const lifetimeMs = 30_000

/** The file holds the address, so that a daemon at another address is not affected. */
export async function readStallMarker(workspace: string, address: string): Promise<StallMarker> {
  const file = join(workspace, '.daemon', 'hook-timeout')
  return {
    isSet: await isFresh(file, address),
    set: async () => {
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeFile(file, address, { mode: 0o600 })
      } catch {
        // A workspace that cannot be written to has no marker.
      }
    },
    clear: () => rm(file, { force: true }).catch(() => undefined),
  }
}

async function isFresh(file: string, address: string): Promise<boolean> {
  try {
    const [content, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
    const ageMs = performance.timeOrigin - mtimeMs
    // After a change of the clock the age may be negative.
    return content === address && Math.abs(ageMs) < lifetimeMs
  } catch {
    return false
  }
}
