import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type DaemonProcess, launchDaemon } from '../support/daemon-process.ts'
import { runReverie } from '../support/run-reverie.ts'
import type { Cli } from './clis.ts'
import { type FakeModel, type ModelRequest, startFakeModel } from './fake-model.ts'

export interface Session {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
  /** The requests to the model during the session. */
  readonly requests: readonly ModelRequest[]
}

export interface Lab {
  readonly home: string
  readonly workspace: string
  readonly daemon: DaemonProcess
  readonly variables: Readonly<Record<string, string>>
  /** One session of the program, from one prompt to its end. */
  readonly run: (prompt: string) => Promise<Session>
  readonly reverie: (...args: readonly string[]) => Promise<string>
  readonly model: FakeModel
  readonly close: () => Promise<void>
}

/** Longer than any session, so that a hanging program fails on its own. */
const maxSessionMs = 120_000

/** A home folder with a program and Reverie, a daemon with a separate workspace, and a model. */
export async function openLab(cli: Cli, bin: string): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-lab-'))
  const home = join(folder, 'home')
  const workspace = join(folder, 'workspace')
  await mkdir(join(home, 'project'), { recursive: true })
  const model = await startFakeModel()
  for (const [name, content] of Object.entries(cli.files(model.url))) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), content)
  }
  const daemon = await launchDaemon({ workspace })
  const { PATH = '' } = process.env
  const variables = { HOME: home, PATH, ...cli.variables(model.url) }
  const reverie = async (...args: readonly string[]) => {
    const env = { HOME: home, SVC_PATH: workspace, SVC_URL: daemon.url }
    const { code, stdout, stderr } = await runReverie(args, { env })
    if (code !== 0) throw new Error(stderr)
    return stdout
  }
  return {
    home,
    workspace,
    daemon,
    variables,
    reverie,
    model,
    run: (prompt) => runSession({ cli, bin, model, variables }, prompt),
    close: async () => {
      daemon.signal('SIGTERM')
      model.stop()
      await daemon.ended
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

interface Runner {
  readonly cli: Cli
  readonly bin: string
  readonly model: FakeModel
  readonly variables: Readonly<Record<string, string>>
}

/** The program gets no variable of ours: it finds the daemon by the installed settings. */
async function runSession(runner: Runner, prompt: string): Promise<Session> {
  const { cli, bin, model, variables } = runner
  const before = model.requests.length
  const startedAt = performance.now()
  const child = spawn(join(bin, cli.program), cli.print(prompt), {
    cwd: join(variables['HOME'] ?? '', 'project'),
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: maxSessionMs,
    killSignal: 'SIGKILL',
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  const ms = performance.now() - startedAt
  return { code, stdout, stderr, ms, requests: model.requests.slice(before) }
}
