import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { type Claims, type Role, signToken } from './credentials.ts'
import { type DaemonProcess, launchDaemon } from './daemon-process.ts'
import { removeFolder } from './make-folder.ts'
import { copyMigratedDatabase } from './migrated-database.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

export interface Ask {
  readonly body?: unknown
  /** The role of the token; an operator by default. */
  readonly role?: Role | 'anonymous'
  /** The scope of the token. */
  readonly scope?: Claims['scope']
  /** Permissions that the token lists; they restrict its role. */
  readonly permissions?: readonly string[] | undefined
  readonly agent?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface ServiceOptions {
  /** `team` by default. */
  readonly mode?: 'local' | 'team' | 'hybrid'
  /** Written to `agent.yaml` with the mode. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  /** An existing workspace; by default the service creates one and deletes it. */
  readonly workspace?: string
  readonly limit?: string
  /** The engine; by default that of the test run. */
  readonly engine?: 'sqlite' | 'postgres'
}

export interface Service {
  /** Changes with each restart. */
  readonly url: string
  readonly workspace: string
  readonly pid: number | undefined
  ask(operation: string, ask?: Ask): Promise<Reply>
  /** A valid token, for callers that send their own requests. */
  tokenFor(role: Role, scope?: Claims['scope'], permissions?: readonly string[]): string
  /** All output of the current daemon. */
  output(): string
  signal(name: NodeJS.Signals): void
  /** Resolves when the current daemon has ended, with its code or signal. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  /** Sends SIGKILL. The workspace stays. */
  kill(): Promise<void>
  /** Ends a running daemon and starts again on the same workspace and database. */
  restart(): Promise<void>
  stop(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

type Body = Readonly<Record<string, unknown>>

const stopWithinMs = 20_000

/** Tests send more requests a minute than people; tests of the limits set their own. */
const limited = [
  'forget',
  'modify',
  'batchForget',
  'forceDelete',
  'admin',
  'login',
  'inferenceGateway',
  'inferenceExecute',
] as const
const rateLimits = Object.fromEntries(limited.map((bucket) => [bucket, { max: 10_000 }]))

/** The default engine of services. */
export const testEngine = process.env['SVC_TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

/**
 * Starts the built daemon in a new workspace, or uses the one at SERVICE_URL with its
 * SERVICE_SECRET.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { SERVICE_URL, SERVICE_SECRET = '' } = process.env
  if (SERVICE_URL)
    return speakTo(elsewhere(SERVICE_URL), () => Buffer.from(SERVICE_SECRET, 'base64'))

  const { engine = testEngine } = options
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const workspace = options.workspace ?? (await mkdtemp(join(tmpdir(), 'reverie-')))
  await writeConfig(workspace, options, postgres)
  if (!options.workspace && !postgres) await copyMigratedDatabase(workspace)
  const launch = () => launchDaemon({ workspace, env: options.env, limit: options.limit })
  const clear = async () => {
    await postgres?.stop()
    if (!options.workspace) await removeFolder(workspace)
  }
  const daemon = await launch().catch(async (error: unknown) => {
    await clear()
    throw error
  })
  const lifecycle = running({ daemon, workspace, launch, clear })
  if (options.mode === 'local') return speakTo(lifecycle)
  return speakTo(lifecycle, () => readFileSync(join(workspace, '.daemon', 'auth-secret')))
}

async function writeConfig(
  workspace: string,
  { mode = 'team', config = {} }: ServiceOptions,
  postgres: PostgresServer | undefined,
): Promise<void> {
  const { database = {} } = config as { database?: Record<string, unknown> }
  const settings = {
    auth: { mode, rateLimits },
    // No test searches a registry on the network, or runs a package manager of this machine.
    skills: { registryUrl: '', packageManager: 'bun' },
    ...config,
    ...(postgres && { database: { ...database, url: postgres.url } }),
  }
  await writeFile(join(workspace, 'agent.yaml'), stringify(settings))
}

interface Running {
  readonly daemon: DaemonProcess
  readonly workspace: string
  launch(): Promise<DaemonProcess>
  clear(): Promise<void>
}

type Lifecycle = Omit<Service, 'ask' | 'tokenFor'>

function running({ daemon: first, workspace, launch, clear }: Running): Lifecycle {
  let daemon = first
  let killed = false
  const end = async () => {
    const { signal, ended, output } = daemon
    signal('SIGTERM')
    const late = setTimeout(() => signal('SIGKILL'), stopWithinMs)
    const code = await ended
    clearTimeout(late)
    if (code === 'SIGKILL' && !killed) throw new Error(`It would not stop.\n${output()}`)
  }
  return {
    workspace,
    get pid() {
      return daemon.pid
    },
    get url() {
      return daemon.url
    },
    get ended() {
      return daemon.ended
    },
    output: () => daemon.output(),
    signal: (name) => daemon.signal(name),
    kill: async () => {
      killed = true
      daemon.signal('SIGKILL')
      await daemon.ended
    },
    restart: async () => {
      await end()
      daemon = await launch()
      killed = false
    },
    stop: () => end().finally(clear),
  }
}

function elsewhere(url: string): Lifecycle {
  const notOurs = () => {
    throw new Error('The daemon at SERVICE_URL is not ours to stop or read.')
  }
  return {
    url,
    workspace: '',
    pid: undefined,
    output: notOurs,
    signal: notOurs,
    kill: notOurs,
    restart: notOurs,
    ended: new Promise(() => {}),
    stop: () => Promise.resolve(),
  }
}

/** Without a secret no token is sent. */
function speakTo(lifecycle: Lifecycle, secret?: () => Buffer): Service {
  const tokenFor: Service['tokenFor'] = (role, scope = {}, permissions) =>
    signToken(
      { role, scope, ...(permissions && { extra: { permissions } }) },
      secret?.() ?? Buffer.of(),
    )
  const ask: Service['ask'] = async (operation, request = {}) => {
    const { body, role = 'operator', scope, permissions, agent = 'ada', headers = {} } = request
    const token = role === 'anonymous' ? undefined : tokenFor(role, scope, permissions)
    const [method = 'GET', path = '/'] = operation.split(' ')
    const reply = await fetch(lifecycle.url + path, {
      method,
      headers: {
        'x-svc-agent-id': agent,
        ...(secret && token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const { status, headers: replied } = reply
    const answer = { status, headers: replied, body: await readBody(reply) }
    if (status >= 400 && status !== 500) expectDocumented(answer.body)
    return answer
  }
  // The accessors must stay accessors: a spread would freeze the first address.
  return Object.defineProperties(
    { ask, tokenFor },
    Object.getOwnPropertyDescriptors(lifecycle),
  ) as Service
}

/** Text that is not JSON is returned as `text`. */
async function readBody(reply: Response): Promise<Body> {
  const text = await reply.text()
  const isJson = reply.headers.get('content-type')?.includes('application/json')
  return isJson ? (JSON.parse(text) as Body) : { text }
}

const page = readFileSync('docs/refusals.md', 'utf8')

/** The code of each refusal in any test must be documented. */
function expectDocumented({ jsonrpc, ...body }: Body): void {
  // JSON-RPC has its own codes.
  if (jsonrpc !== undefined) return
  const { code } = typeof body['error'] === 'object' ? Object(body['error']) : body
  if (!page.includes(`\n| \`${code}\` |`))
    throw new Error(`The code '${code}' is not explained in docs/refusals.md.`)
}
