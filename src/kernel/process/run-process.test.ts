import { expect, test } from 'vitest'
import { realHost } from '../host/host.ts'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { noChildLedger } from '../testing/no-child-ledger.ts'
import { childEnvironment } from './environment.ts'
import { type ProcessRequest, runProcess } from './run-process.ts'

/** An overloaded machine is slow. */
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 10_000 })

const children = noChildLedger
const needs = { host: realHost, children }

const sh = (script: string, more: Partial<ProcessRequest> = {}) =>
  runProcess(needs, {
    purpose: 'test',
    command: 'sh',
    args: ['-c', script],
    timeoutMs: 10_000,
    ...more,
  })

/** Zombie processes are still listed, with the state `Z`. */
const isAlive = async (pid: string) => {
  const { stdout } = await sh(`ps -o stat= -p ${pid.trim()}`)
  return /^[^Z]/.test(stdout)
}

test('returns the exit code and both outputs', async () => {
  expect(await sh('echo out; echo err >&2; exit 3')).toEqual({
    code: 3,
    signal: null,
    stdout: 'out\n',
    stderr: 'err\n',
    stdoutBytes: 4,
    stderrBytes: 4,
    stdoutTruncated: false,
    stderrTruncated: false,
    timedOut: false,
  })
})

test('passes the input to standard input, or closes it', async () => {
  expect(await sh('cat', { input: 'words' })).toMatchObject({ stdout: 'words', code: 0 })
  expect(await sh('cat')).toMatchObject({ stdout: '', code: 0 })
})

test('kills a background child with its command', async () => {
  const { stdout, timedOut } = await sh('sleep 600 & echo $!')

  expect(timedOut).toBe(false)
  await eventually(() => isAlive(stdout)).toBe(false)
})

test('does not wait for a child that has left the process group', async () => {
  const host = manualClockHost()
  const leave = `
    const { spawn } = require('node:child_process')
    const left = spawn('sleep', ['600'], { detached: true, stdio: 'inherit' })
    left.unref()
    console.log(left.pid)`
  const args = ['-e', leave]
  const running = runProcess(
    { host, children },
    { purpose: 'test', command: process.execPath, args, timeoutMs: 10_000 },
  )
  await eventually(() => host.sleeps()).toEqual([2_000])
  host.advance(2_000)

  const { code, stdout } = await running
  process.kill(Number(stdout), 'SIGKILL')
  expect(code).toBe(0)
})

test('a timeout ends the whole process group, with SIGKILL if needed', async () => {
  const script = 'trap "" TERM; sleep 600 & echo $!; sleep 600'
  const result = await sh(script, { timeoutMs: 200 })

  expect(result).toMatchObject({ code: 124, timedOut: true })
  await eventually(() => isAlive(result.stdout)).toBe(false)
})

test('an aborted signal ends the command', async () => {
  const unwanted = new AbortController()
  const running = sh('sleep 600', { signal: unwanted.signal })
  unwanted.abort()

  expect(await running).toMatchObject({ timedOut: false, signal: 'SIGTERM', code: 137 })
})

test('truncates output past the cap without blocking the command', async () => {
  const result = await sh('head -c 300000 /dev/zero | tr "\\0" x; echo done >&2', {
    maxOutputBytes: 1_000,
  })

  expect(result).toMatchObject({ stdout: 'x'.repeat(1_000), stderr: 'done\n' })
  expect(result).toMatchObject({
    stdoutBytes: 300_000,
    stdoutTruncated: true,
    stderrTruncated: false,
  })
})

test('redacts a secret that is split across chunks or encoded', async () => {
  const secrets = ['hunter2-hunter2']
  const split = 'printf hunter2; sleep 0.1; printf -- -hunter2'
  const encoded = 'printf hunter2-hunter2 | base64; printf hunter2-hunter2 >&2'

  expect((await sh(split, { secrets })).stdout).toBe('[REDACTED]')
  expect(await sh(encoded, { secrets })).toMatchObject({
    stdout: '[REDACTED]\n',
    stderr: '[REDACTED]',
  })
})

test('what `echo "$KEY" | base64` prints is redacted', async () => {
  const KEY = ['synthetic', 'key', '4711'].join('-')
  const script = 'echo "$KEY" | base64; printf "user:$KEY" | base64 -w 10 >&2'
  const { stdout, stderr } = await sh(script, { env: { KEY }, secrets: [KEY] })

  expect(stdout).toMatch(/^\[REDACTED\]\w{0,2}=*\n$/)
  expect(stderr.replaceAll('\n', '')).toMatch(/^dXNlcj\w{0,3}\[REDACTED\]\w{0,2}=*$/)
})

test('the redacted output arrives while the command runs', async () => {
  const texts: string[] = []
  const seen = Promise.withResolvers<void>()
  const onOutput = ({ stream, text }: { stream: string; text: string }) => {
    texts.push(`${stream}: ${text}`)
    seen.resolve()
  }
  const unwanted = new AbortController()
  const running = sh('printf hunter2-hunter2; head -c 300 /dev/zero | tr "\\0" x; sleep 600', {
    secrets: ['hunter2-hunter2'],
    signal: unwanted.signal,
    onOutput,
  })
  await seen.promise
  unwanted.abort()

  expect(texts.join('')).toMatch(/^stdout: \[REDACTED\]x+$/)
  expect((await running).stdout).toBe(`[REDACTED]${'x'.repeat(300)}`)
})

test('redacts a secret that crosses the cap', async () => {
  const { stdout } = await sh('printf xxhunter2-hunter2', {
    secrets: ['hunter2-hunter2'],
    maxOutputBytes: 9,
  })

  expect(stdout).toBe('xx[REDACT')
})

test('a child inherits no variables and receives no loader variables', async () => {
  const { stdout } = await sh('env', { env: { GREETING: 'hello', LD_PRELOAD: '/evil.so' } })

  expect(stdout).toContain('GREETING=hello')
  expect(stdout).not.toMatch(/HOME=|evil/)
  const some = ['DYLD_INSERT_LIBRARIES', 'ld_library_path', 'BASH_ENV', 'GIT_SSH_COMMAND']
  const loaders = [...some, 'NODE_OPTIONS', 'PYTHONPATH', 'PERL5OPT', 'GIT_CONFIG_COUNT']
  const given = Object.fromEntries(loaders.map((name) => [name, 'evil']))
  expect(childEnvironment({ ...given, PATH: '/bin' })).toEqual({ PATH: '/bin' })
})

test('refuses a missing command', async () => {
  const command = '/nowhere/at-all'
  const absent = runProcess(needs, { purpose: 'test', command, timeoutMs: 1_000 })

  await expect(absent).rejects.toMatchObject({ code: 'process_not_started' })
})

test('a group is in the ledger while it runs', async () => {
  const calls: string[] = []
  const add = async ({ purpose }: { readonly purpose: string }) => {
    calls.push(`add ${purpose}`)
    return async () => {
      calls.push('remove')
    }
  }
  const request = { purpose: 'test', command: 'true', timeoutMs: 10_000 }
  await runProcess({ host: realHost, children: { add } }, request)

  expect(calls).toEqual(['add test', 'remove'])
})
