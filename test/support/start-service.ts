import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Ask {
  readonly body?: unknown
  /** Whose token is sent; an operator's unless said otherwise. */
  readonly role?: 'admin' | 'operator' | 'agent' | 'readonly' | 'nobody'
  readonly agent?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Service {
  readonly url: string
  /** A token that the service takes; for what does not ask by itself. */
  tokenFor(role: string): string
  ask(operation: string, ask?: Ask): Promise<{ status: number; headers: Headers; body: Body }>
  stop(): Promise<void>
}

type Body = Readonly<Record<string, unknown>>

/** The built daemon in a workspace of its own, or the one at SERVICE_URL with its SERVICE_SECRET. */
export async function startService(): Promise<Service> {
  const { SERVICE_URL, SERVICE_SECRET = '' } = process.env
  if (SERVICE_URL)
    return speakTo(SERVICE_URL, Buffer.from(SERVICE_SECRET, 'base64'), () => Promise.resolve())

  const workspace = await mkdtemp(join(tmpdir(), 'reverie-'))
  await writeFile(join(workspace, 'agent.yaml'), 'auth: { mode: team }\n')
  const env = { ...process.env, SVC_PATH: workspace, SVC_PORT: '0' }
  const daemon = spawn(process.execPath, ['dist/main.js', 'start', '--foreground'], { env })
  const url = await readUrl(daemon)
  const secret = await readFile(join(workspace, '.daemon', 'auth-secret'))
  return speakTo(url, secret, async () => {
    daemon.kill('SIGTERM')
    await once(daemon, 'exit')
    await rm(workspace, { recursive: true })
  })
}

async function readUrl({ stdout, stderr }: ChildProcess): Promise<string> {
  if (!stdout || !stderr) throw new Error('The daemon has no output.')
  stderr.pipe(process.stderr)
  for await (const line of createInterface(stdout)) {
    const url = /listening at (?<url>http:[^"]+)/.exec(line)?.groups?.['url']
    if (url) return url
  }
  throw new Error('The daemon ended before it listened.')
}

function speakTo(url: string, secret: Buffer, stop: () => Promise<void>): Service {
  return {
    url,
    stop,
    tokenFor: (role) => signToken(role, secret),
    ask: async (operation, { body, role = 'operator', agent = 'ada', headers = {} } = {}) => {
      const [method = 'GET', path = '/'] = operation.split(' ')
      const reply = await fetch(url + path, {
        method,
        headers: {
          'x-svc-agent-id': agent,
          ...(role !== 'nobody' && { authorization: `Bearer ${signToken(role, secret)}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Body }
    },
  }
}

function signToken(role: string, secret: Buffer): string {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { sub: 'tester', role, iat, exp: iat + 600 }
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`
}
