import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UpdateNeeds } from '../needs.ts'
import { UpdateFailure } from './failure.ts'
import { type ProgramNeeds, readVersion, runProgram } from './program.ts'

const startTimeoutMs = 60_000
const pollMs = 100
const replyTimeoutMs = 5_000

type VerifyNeeds = ProgramNeeds & Pick<UpdateNeeds, 'outbound'>

interface VerifyRequest {
  /** The launcher of the staged version. */
  readonly program: string
  readonly folder: string
  readonly version: string
  readonly signal: AbortSignal
}

/** The staged version prints its version, and its daemon becomes ready on an empty workspace. */
export async function verifyStaged(needs: VerifyNeeds, request: VerifyRequest): Promise<void> {
  const { program, folder, version, signal } = request
  const observed = await readVersion(needs, { program, cwd: folder, signal })
  if (observed !== version)
    throw new UpdateFailure(
      'verification_failed',
      `The new program does not report the version ${version}.`,
      { output: observed, observed },
    )
  const home = await mkdtemp(join(tmpdir(), 'reverie-trial-'))
  try {
    await tryStart(needs, request, home)
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function tryStart(needs: VerifyNeeds, request: VerifyRequest, home: string): Promise<void> {
  const { program, version, signal } = request
  const workspace = join(home, 'workspace')
  await mkdir(workspace, { mode: 0o700 })
  const over = new AbortController()
  const daemon = runProgram(needs, {
    purpose: 'update trial',
    command: process.execPath,
    args: [program, 'start', '--foreground'],
    cwd: workspace,
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), SVC_PATH: workspace, SVC_PORT: '0' },
    timeoutMs: startTimeoutMs,
    signal: AbortSignal.any([signal, over.signal]),
  })
  const ended = daemon.then(() => over.abort())
  const observed = await untilReady(needs, { workspace, ended: over.signal })
  over.abort()
  const { output } = await daemon
  await ended
  signal.throwIfAborted()
  if (observed === version) return
  throw new UpdateFailure('verification_failed', explain(observed, version), {
    output,
    ...(observed !== undefined && { observed }),
  })
}

function explain(observed: string | undefined, version: string): string {
  if (observed === undefined) return 'The daemon of the new version did not become ready.'
  return `The daemon of the new version reports ${observed}, not ${version}.`
}

/** The version that the daemon reports once it is ready; undefined when it ends before that. */
async function untilReady(
  { host, outbound }: VerifyNeeds,
  { workspace, ended }: { readonly workspace: string; readonly ended: AbortSignal },
): Promise<string | undefined> {
  while (!ended.aborted) {
    const url = await findAddress(workspace)
    const ready = url && (await readReady(outbound, url).catch(() => undefined))
    if (ready && ready.status === 'ready') return String(ready.version)
    await host.sleep(pollMs, ended)
  }
  return undefined
}

async function readReady(outbound: VerifyNeeds['outbound'], url: string) {
  const { body } = await outbound.open(`${url}/health/ready`, {
    loopbackOrigin: new URL(url).origin,
    timeoutMs: replyTimeoutMs,
    maxBytes: 65_536,
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
    readonly status?: unknown
    readonly version?: unknown
  }
}

async function findAddress(workspace: string): Promise<string | undefined> {
  const file = join(workspace, '.daemon', 'daemon.json')
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const { url } = JSON.parse(text) as { readonly url?: unknown }
  return typeof url === 'string' && URL.canParse(url) ? url : undefined
}
