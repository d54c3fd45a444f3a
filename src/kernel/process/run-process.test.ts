import { expect, test } from 'vitest'
import { realHost } from '../host/host.ts'
import { steeredHost } from '../testing/steered-host.ts'
import { childEnvironment } from './environment.ts'
import { type ProcessRequest, runProcess } from './run-process.ts'

/** A busy machine takes its time. */
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 10_000 })

const sh = (script: string, more: Partial<ProcessRequest> = {}) =>
  runProcess(realHost, { command: 'sh', args: ['-c', script], timeoutMs: 10_000, ...more })

/** Ended processes that nobody has fetched yet are still listed, as `Z`. */
const isAlive = async (pid: string) => {
  const { stdout } = await sh(`ps -o stat= -p ${pid.trim()}`)
  return /^[^Z]/.test(stdout)
}

test('a command gives its code and both outputs', async () => {
  expect(await sh('echo out; echo err >&2; exit 3')).toEqual({
    code: 3,
    signal: null,
    stdout: 'out\n',
    stderr: 'err\n',
    truncated: false,
    timedOut: false,
  })
})

test('standard input is what is given, and at its end when nothing is', async () => {
  expect(await sh('cat', { input: 'words' })).toMatchObject({ stdout: 'words', code: 0 })
  expect(await sh('cat')).toMatchObject({ stdout: '', code: 0 })
})

test('a child left in the background dies with its command', async () => {
  const { stdout, timedOut } = await sh('sleep 600 & echo $!')

  expect(timedOut).toBe(false)
  await eventually(() => isAlive(stdout)).toBe(false)
})

test('a child that has left the group is not waited for', async () => {
  const host = steeredHost()
  const leave = `
    const { spawn } = require('node:child_process')
    const left = spawn('sleep', ['600'], { detached: true, stdio: 'inherit' })
    left.unref()
    console.log(left.pid)`
  const args = ['-e', leave]
  const running = runProcess(host, { command: process.execPath, args, timeoutMs: 10_000 })
  await eventually(() => host.sleeps()).toEqual([2_000])
  host.advance(2_000)

  const { code, stdout } = await running
  process.kill(Number(stdout), 'SIGKILL')
  expect(code).toBe(0)
})

test('a command out of time ends with its whole group, whether it agrees or not', async () => {
  const script = 'trap "" TERM; sleep 600 & echo $!; sleep 600'
  const result = await sh(script, { timeoutMs: 200 })

  expect(result).toMatchObject({ code: 124, timedOut: true })
  await eventually(() => isAlive(result.stdout)).toBe(false)
})

test('a command that is no longer wanted ends', async () => {
  const unwanted = new AbortController()
  const running = sh('sleep 600', { signal: unwanted.signal })
  unwanted.abort()

  expect(await running).toMatchObject({ timedOut: false, signal: 'SIGTERM', code: 137 })
})

test('output past the cap is left out, and the command not held up by it', async () => {
  const result = await sh('head -c 300000 /dev/zero | tr "\\0" x; echo done >&2', {
    outputAtMostBytes: 1_000,
  })

  expect(result).toMatchObject({ stdout: 'x'.repeat(1_000), stderr: 'done\n', truncated: true })
})

test('a secret is not shown, be it split across chunks or encoded', async () => {
  const secrets = ['hunter2-hunter2']
  const split = 'printf hunter2; sleep 0.1; printf -- -hunter2'
  const encoded = 'printf hunter2-hunter2 | base64; printf hunter2-hunter2 >&2'

  expect((await sh(split, { secrets })).stdout).toBe('[redacted]')
  expect(await sh(encoded, { secrets })).toMatchObject({
    stdout: '[redacted]\n',
    stderr: '[redacted]',
  })
})

test('a secret cut by the cap is not shown in part', async () => {
  const { stdout } = await sh('printf xxhunter2-hunter2', {
    secrets: ['hunter2-hunter2'],
    outputAtMostBytes: 9,
  })

  expect(stdout).toBe('xx[redact')
})

test('a child inherits nothing, and loaders never pass', async () => {
  const { stdout } = await sh('env', { env: { GREETING: 'hello', LD_PRELOAD: '/evil.so' } })

  expect(stdout).toContain('GREETING=hello')
  expect(stdout).not.toMatch(/HOME=|evil/)
  const some = ['DYLD_INSERT_LIBRARIES', 'ld_library_path', 'BASH_ENV', 'GIT_SSH_COMMAND']
  const loaders = [...some, 'NODE_OPTIONS', 'PYTHONPATH', 'PERL5OPT', 'GIT_CONFIG_COUNT']
  const given = Object.fromEntries(loaders.map((name) => [name, 'evil']))
  expect(childEnvironment({ ...given, PATH: '/bin' })).toEqual({ PATH: '/bin' })
})

test('a command that is not there is refused', async () => {
  const absent = runProcess(realHost, { command: '/nowhere/at-all', timeoutMs: 1_000 })

  await expect(absent).rejects.toMatchObject({ code: 'process_not_started' })
})
