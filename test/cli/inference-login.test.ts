import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startOAuthProvider } from '../support/oauth-provider.ts'
import { runAtTerminal } from '../support/run-at-terminal.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const provider = await startOAuthProvider()
const common = { clientId: 'reverie', tokenEndpoint: `${provider.url}/token` }
const oauth = {
  company: { ...common, flow: 'device', deviceAuthorizationEndpoint: `${provider.url}/device` },
  portal: { ...common, flow: 'browser', authorizationEndpoint: `${provider.url}/authorize` },
}
const service = await startService({ engine: 'sqlite', config: { inference: { oauth } } })
afterAll(async () => {
  await service.stop()
  await provider.stop()
})
const { run, env } = reverieOf(service, 'admin')
const logout = (id: string) => run(['inference', 'logout', id])

beforeEach(() => provider.answerDevice('approve'))

test('a device login shows its address and code, and ends when the provider approves', async () => {
  const { code, stdout, stderr } = await run(['inference', 'login', 'company'])

  expect([code, stdout]).toEqual([0, '✓ Signed in at company\n'])
  expect(stderr).toMatch(/https:\/\/login\.example\/device[\s\S]*ABCD-EFGH/)
  expect((await logout('company')).stdout).toContain('Deleted the login of company')
  expect((await logout('company')).stdout).toContain('No login of company was stored.')
})

test('with --json each step is one line, and no token is among them', async () => {
  const { stdout, stderr } = await run(['inference', 'login', 'company', '--json'])

  const steps = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type)
  expect(steps).toEqual(['session', 'device_code', 'connected', 'done'])
  expect(stdout + stderr).not.toContain('synthetic')
})

test('a refused login exits with 1, an unknown provider with 4', async () => {
  provider.answerDevice('access_denied')
  const { code, stderr } = await run(['inference', 'login', 'company'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('✗')])

  expect((await run(['inference', 'login', 'absent'])).code).toBe(4)
  expect((await logout('absent')).code).toBe(4)
})

test('a browser login ends with the callback', async () => {
  const { ended, texts, address } = await startLogin()

  expect((await fetch(provider.approve(address))).status).toBe(200)

  expect(await ended).toEqual([0, null])
  expect(texts.stdout).toBe('✓ Signed in at portal\n')
})

test('a browser login ends with a pasted address', async () => {
  const { child, ended, address } = await startLogin()

  child.stdin.write(`\n${provider.approve(address)}\n`)

  expect(await ended).toEqual([0, null])
})

test('Ctrl-C cancels the login', async () => {
  const { child, ended, address } = await startLogin()
  const callback = provider.approve(address)

  child.kill('SIGINT')

  expect(await ended).toEqual([130, null])
  await vi.waitFor(() => expect(fetch(callback)).rejects.toThrow(), 10_000)
})

test('the browser is opened at a terminal, unless --no-open is passed', async () => {
  const folder = join(service.workspace, 'programs')
  const opened = join(folder, 'opened')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 })
  const { PATH = '' } = process.env
  const terminal = { env: { ...env, PATH: `${folder}:${PATH}` } }

  await runAtTerminal(['inference', 'login', 'company', '--no-open'], terminal)
  await expect(readFile(opened, 'utf8')).rejects.toThrow('ENOENT')
  const { code, screen } = await runAtTerminal(['inference', 'login', 'company'], terminal)

  expect([code, screen]).toEqual([0, expect.stringContaining('Signed in at company')])
  await vi.waitFor(
    async () => expect(await readFile(opened, 'utf8')).toBe('https://login.example/device\n'),
    10_000,
  )
})

/** A browser login that waits for its callback. */
async function startLogin() {
  const args = ['dist/main.js', 'inference', 'login', 'portal']
  const child = spawn(process.execPath, args, { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  const address = await vi.waitFor(() => {
    const [, url = ''] = /Open this address:\n {2}(\S+)\n/.exec(texts.stderr) ?? []
    expect(texts.stderr).toContain('Paste the code')
    return url
  }, 10_000)
  return { child, texts, address, ended: once(child, 'close') }
}
