import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/*
 * A small systemd for tests, run as `systemctl --user COMMAND [--now] UNIT`: it reads the unit, runs
 * its program with its variables, and starts it again after a failure.
 */

const { HOME = '' } = process.env
const folder = join(HOME, '.config', 'systemd', 'user')
const state = join(HOME, '..', 'systemd-state')
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const [command = '', unit = ''] = words
const wanted = join(folder, 'default.target.wants', unit)
const restartMs = 100
/** A killed test must not leave a supervisor behind. */
const maxRuns = 5

const commands: Readonly<Record<string, () => Promise<void>>> = {
  'show-environment': async () => {},
  'daemon-reload': async () => {},
  enable: async () => {
    await mkdir(dirname(wanted), { recursive: true })
    await symlink(join(folder, unit), wanted).catch(ignoreExisting)
  },
  restart: async () => {
    await stop()
    await mkdir(state, { recursive: true })
    const [, script = ''] = process.argv
    const supervisor = spawn(process.execPath, [script, 'supervise', unit], {
      detached: true,
      stdio: 'ignore',
    })
    await writeFile(join(state, 'pid'), `${supervisor.pid}`)
    supervisor.unref()
  },
  disable: async () => {
    await rm(dirname(wanted), { recursive: true, force: true })
    await stop()
  },
  'is-active': async () => {
    if ((await readPid()) === undefined) process.exitCode = 3
    else process.stdout.write('active\n')
  },
  supervise,
}

await commands[command]?.()

/** Ends when the program exits with 0. */
async function supervise(): Promise<void> {
  const lines = (await readFile(join(folder, unit), 'utf8')).split('\n')
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))
  const [program = '', ...args] = unquote(valuesOf('ExecStart')[0] ?? '')
  const variables = valuesOf('Environment').flatMap(unquote).map(split)
  for (let runs = 0; runs < maxRuns; runs++) {
    const child = spawn(program, args, { env: Object.fromEntries(variables), stdio: 'ignore' })
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code === 0) break
    await pause(restartMs)
  }
  await rm(join(state, 'pid'), { force: true })
}

async function stop(): Promise<void> {
  const pid = await readPid()
  if (pid === undefined) return
  process.kill(pid, 'SIGTERM')
  while ((await readPid()) !== undefined) await pause(20)
}

async function readPid(): Promise<number | undefined> {
  const text = await readFile(join(state, 'pid'), 'utf8').catch(() => '')
  return text === '' ? undefined : Number(text)
}

function unquote(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  )
}

function split(assignment: string): readonly [string, string] {
  const at = assignment.indexOf('=')
  return [assignment.slice(0, at), assignment.slice(at + 1)]
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
