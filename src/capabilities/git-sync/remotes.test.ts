import { chmod, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { createLab, createMachine, createPair } from './git-sync.fixture.ts'
import { serveOverHttp } from './http-remote.fixture.ts'

const token = 'synthetic-token-of-a-test'
const success = { success: true }
const pollMs = 20

/** The command lines of all processes. */
async function readCommandLines(): Promise<string> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.join('\n')
}

async function createHttpMachine(options: { password?: string; isSilent?: boolean } = {}) {
  const lab = await createLab()
  await lab.git(lab.remote, 'config', 'http.receivepack', 'true')
  const { host, url } = await serveOverHttp(lab.remote, options.password ?? token, options.isSilent)
  // The limits of git commands pass quickly when the server is silent.
  const sleep: typeof realHost.sleep = (ms, signal) =>
    realHost.sleep(options.isSilent && ms >= 30_000 ? 1_000 : ms, signal)
  const machine = await createMachine(
    lab,
    { tokenHost: host, tokenRef: 'git-token' },
    {
      host: { ...realHost, sleep },
      credentials: { resolve: async () => token },
      askPass: resolve('bin/git-askpass'),
    },
  )
  await machine.write('notes.md', 'first\n')
  return { lab, machine, url }
}

test.skipIf(process.platform !== 'linux')(
  'a server that asks for a password gets the token, and no command line, file or reply has it',
  async () => {
    const { lab, machine, url } = await createHttpMachine()
    const initial = await machine.service.init({ remoteUrl: url })
    const syncing = machine.service.sync()
    const seen: string[] = []
    const watching = { isOver: false }
    const watch = (async () => {
      while (!watching.isOver) {
        seen.push(await readCommandLines())
        await realHost.sleep(pollMs)
      }
    })()
    const synced = await syncing
    watching.isOver = true
    await watch

    expect(synced).toMatchObject({ ...success, pushed: 1 })
    expect(await lab.git(lab.remote, 'show', 'main:notes.md')).toBe('first')
    expect(seen.join()).toContain(url)
    expect(seen.join()).not.toContain(token)
    const config = await machine.read('.git/config')
    const status = await machine.service.status()
    expect(JSON.stringify([initial, synced, config, status])).not.toContain(token)
  },
  60_000,
)

test('a refused password is auth_failed', async () => {
  const { machine, url } = await createHttpMachine({ password: 'another' })
  await machine.service.init({ remoteUrl: url })

  const synced = await machine.service.sync()
  expect(synced).toMatchObject({ success: false, code: 'auth_failed' })
  expect(JSON.stringify(synced)).not.toContain(token)
})

test('a silent server is left at the limit, and no process stays', async () => {
  const { machine, url } = await createHttpMachine({ isSilent: true })
  await machine.service.init({ remoteUrl: url })

  expect(await machine.service.pull()).toMatchObject({ success: false, code: 'timed_out' })
  if (process.platform === 'linux')
    await expect.poll(async () => (await readCommandLines()).includes(url)).toBe(false)
})

test('two machines that sync at the same time both succeed, and no text is lost', async () => {
  const { one, two } = await createPair({ 'notes.md': 'first\n' })
  await one.write('one.md', 'one\n')
  await two.write('two.md', 'two\n')

  expect(await Promise.all([one.service.sync(), two.service.sync()])).toMatchObject([
    success,
    success,
  ])
  await one.service.pull()
  await two.service.pull()
  for (const machine of [one, two]) {
    expect(await machine.read('one.md')).toBe('one\n')
    expect(await machine.read('two.md')).toBe('two\n')
  }
}, 60_000)

test('a hook of the remote refuses a push with its message, and nothing changes here', async () => {
  const { lab, one } = await createPair({ 'notes.md': 'first\n' })
  const hook = join(lab.remote, 'hooks', 'pre-receive')
  await writeFile(hook, '#!/bin/sh\necho "closed for the weekend" >&2\nexit 1\n')
  await chmod(hook, 0o755)
  await one.write('one.md', 'one\n')

  const refused = await one.service.sync()
  expect(refused).toMatchObject({ success: false, code: 'remote_refused' })
  expect(JSON.stringify(refused)).toContain('closed for the weekend')
  expect(await one.read('one.md')).toBe('one\n')
})

test.each([
  ['empty', 0],
  ['truncated', 7],
])('a pull stops at an object that is %s, and no file changes', async (_, length) => {
  const { lab, one, two } = await createPair({ 'notes.md': 'first\n' })
  await one.write('notes.md', 'second\n')
  await one.service.sync()
  await two.write('own.md', 'own\n')
  const tree = await lab.git(two.folder, 'rev-parse', 'HEAD^{tree}')
  const object = join(two.folder, '.git', 'objects', tree.slice(0, 2), tree.slice(2))
  const bytes = await readFile(object)
  // A clone shares its objects with the remote by hard links.
  await rm(object)
  await writeFile(object, bytes.subarray(0, length))

  expect(await two.service.pull()).toMatchObject({ success: false, code: 'repository_damaged' })
  expect(await two.read('notes.md')).toBe('first\n')
  expect(await two.read('own.md')).toBe('own\n')
})

test('an index that another program has locked stops a pull, and the lock stays', async () => {
  const { one, two } = await createPair({ 'notes.md': 'first\n' })
  await one.write('notes.md', 'second\n')
  await one.service.sync()
  await two.write('.git/index.lock', '')

  expect(await two.service.sync()).toMatchObject({ success: false, code: 'index_locked' })
  expect(await two.read('.git/index.lock')).toBe('')
})

test('a remote that is gone is named in the error, and comes back', async () => {
  const lab = await createLab()
  const machine = await createMachine(lab)
  await machine.write('notes.md', 'first\n')
  await machine.service.init({ remoteUrl: lab.remote })
  await machine.service.sync()
  const elsewhere = `${lab.remote}-moved`
  await rename(lab.remote, elsewhere)

  const { code, error } = await machine.service.sync()
  await rename(elsewhere, lab.remote)

  expect(code).toBe('fetch_failed')
  expect(error).toMatch(/fatal: '.+' does not appear to be a git repository$/)
  expect(await machine.service.sync()).toMatchObject(success)
})
