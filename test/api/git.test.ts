import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { type Ask, startService } from '../support/start-service.ts'

const run = promisify(execFile)
const home = await mkdtemp(join(tmpdir(), 'reverie-git-'))
const remote = join(home, 'remote.git')
await run('git', ['init', '-q', '--bare', '-b', 'main', remote])
const env = { HOME: home, PATH: '/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1' }
const service = await startService({ env, config: { git: { autoCommit: true } } })
afterAll(async () => {
  await service.stop()
  await removeFolder(home)
})

const ask = (call: string, more: Ask = {}) => service.ask(call, { role: 'admin', ...more })
const post = (path: string, body: object = {}) => ask(`POST /api/git/${path}`, { body })

test('a workspace that is no repository answers 200 with its code', async () => {
  expect((await ask('GET /api/git/status')).body).toEqual({
    branch: null,
    ahead: 0,
    behind: 0,
    dirty: false,
    lastCommit: null,
    isRepo: false,
    hasCredentials: false,
    autoSync: false,
    fix: 'Run reverie git init.',
  })
  for (const name of ['pull', 'push', 'sync'])
    expect(await post(name)).toMatchObject({
      status: 200,
      body: { success: false, code: 'not_a_repository', fix: 'Run reverie git init.' },
    })
})

test('a sync commits and pushes the files of the workspace', async () => {
  const made = await post('init', { remoteUrl: remote })
  expect(made.body).toMatchObject({ success: true, branch: 'main', remote })
  expect(await post('init')).toMatchObject({ status: 409, body: { code: 'git_repository_exists' } })
  await writeFile(join(service.workspace, 'fern.md'), 'Water the fern.\n')
  await writeFile(join(service.workspace, '.env'), 'PASSWORD=synthetic\n')
  const synced = await post('sync')
  expect(synced.body).toMatchObject({ success: true, pulled: 0, pushed: 1, error: null })
  const { stdout } = await run('git', ['--git-dir', remote, 'ls-tree', '-r', '--name-only', 'main'])

  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining(['.gitignore', 'agent.yaml', 'fern.md']),
  )
  expect(stdout).not.toMatch(/\.env|\.db|\.daemon|\.secrets|logs\/|search\//)
  expect((await ask('GET /api/git/status')).body).toMatchObject({
    isRepo: true,
    branch: 'main',
    ahead: 0,
    behind: 0,
    remote,
    lastSync: expect.any(String),
  })
  expect((await post('pull')).body).toMatchObject({ success: true, changes: 0 })
  expect((await post('push')).body).toMatchObject({ success: true, changes: 0 })
  expect(await readdir(join(service.workspace, '.git', 'reverie')).catch(() => 'none')).toBe('none')
})

test('settings change until the next start', async () => {
  const before = { enabled: true, autoCommit: true, autoSync: false, syncInterval: 300 }
  const names = { remote: 'origin', branch: 'main' }
  expect((await ask('GET /api/git/config')).body).toEqual({ ...before, ...names })
  const changed = await post('config', { syncInterval: 5, remote: 'other', unknown: 1 })
  expect(changed.body).toEqual({
    success: true,
    config: { ...before, ...names, syncInterval: 30, remote: 'other' },
  })
  expect((await post('pull')).body).toMatchObject({
    success: true,
    message: 'no remote is configured',
  })
  await service.restart()

  expect((await ask('GET /api/git/config')).body).toEqual({ ...before, ...names })
})

test.each([
  ['config', { autoSync: 'yes' }, 'autoSync'],
  ['config', { syncInterval: 'often' }, 'syncInterval'],
  ['config', { remote: '--upload-pack=touch' }, 'remote'],
  ['config', { branch: 'a..b' }, 'branch'],
  ['config', { branch: 'a.lock' }, 'branch'],
  ['init', { branch: 'a@{1}' }, 'branch'],
  ['init', { remoteUrl: 7 }, 'remoteUrl'],
])('POST /api/git/%s %j is refused with the name of the field', async (path, body, field) => {
  const reply = await post(path, body)

  expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining(field)])
})

test('a body over 64 KiB and one that is no object are refused', async () => {
  expect((await post('config', { remote: 'x'.repeat(65_536) })).status).toBe(413)
  expect((await ask('POST /api/git/sync', { body: [] })).status).toBe(400)
})

test('reads need the permission diagnostics, and changes need admin', async () => {
  expect((await ask('GET /api/git/status', { role: 'agent' })).status).toBe(403)
  expect((await ask('POST /api/git/sync', { body: {}, role: 'operator' })).status).toBe(403)
})

test('health reports git and does not depend on it', async () => {
  const { body } = await ask('GET /health/ready')

  expect(body).toMatchObject({ status: 'ready', checks: { capabilities: { git: {} } } })
})

test('without git, and with an old one, every route names the fix', async () => {
  const programs = join(home, 'programs')
  await run('mkdir', [programs])
  const bare = await startService({ env: { HOME: home, PATH: programs }, mode: 'local' })
  try {
    const call = (path: string) => bare.ask(`POST /api/git/${path}`, { body: {} })
    expect((await bare.ask('GET /api/git/status')).body).toMatchObject({
      isRepo: false,
      degraded: true,
      degradedReason: 'git_missing',
      fix: expect.stringContaining('Install git 2.38'),
    })
    expect((await call('init')).body).toMatchObject({ success: false, code: 'git_missing' })
    await writeFile(join(programs, 'git'), '#!/bin/sh\necho git version 2.37.9\n')
    await chmod(join(programs, 'git'), 0o755)
    expect((await call('init')).body).toMatchObject({
      success: false,
      code: 'git_too_old',
      fix: 'Install git 2.38 or newer.',
      details: ['git version 2.37.9'],
    })
  } finally {
    await bare.stop()
  }
})
