import { existsSync } from 'node:fs'
import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createPair } from './git-sync.fixture.ts'

// Each test runs many processes.
vi.setConfig({ testTimeout: 60_000 })

/** A program that leaves a mark when it runs. */
async function createTrap() {
  const folder = await temporaryFolder()
  const [mark, program] = [join(folder, 'mark'), join(folder, 'program')]
  await writeFile(program, `#!/bin/sh\ntouch '${mark}'\ncat\n`)
  await chmod(program, 0o755)
  return { program, isSprung: () => existsSync(mark) }
}

test.each([
  'core.fsmonitor',
  'core.hooksPath',
  'core.sshCommand',
  'core.worktree',
  'core.editor',
  'core.pager',
  'filter.trap.clean',
  'filter.trap.smudge',
  'merge.trap.driver',
  'credential.helper',
  'diff.external',
  'alias.fetch',
  'include.path',
  'url.ext::.insteadOf',
  'remote.origin.uploadpack',
  'remote.origin.receivepack',
  'remote.origin.vcs',
  'extensions.worktreeConfig',
])('a repository with the setting %s is refused, and nothing of it runs', async (name) => {
  const { lab, one } = await createPair({ 'notes.md': 'first\n' })
  const { isSprung, program } = await createTrap()
  const settings = `${program}.settings`
  await writeFile(settings, `[core]\n\tfsmonitor = ${program}\n`)
  const values = new Map([
    ['extensions.worktreeConfig', 'true'],
    ['include.path', settings],
  ])
  await lab.git(one.folder, 'config', name, values.get(name) ?? program)
  await one.write('notes.md', 'second\n')

  const expected = { success: false, code: 'git_config_unsafe', details: [expect.any(String)] }
  expect(await one.service.sync()).toMatchObject(expected)
  expect(await one.service.status()).toMatchObject({ degradedReason: 'git_config_unsafe' })
  expect(isSprung()).toBe(false)
})

test('hooks, filters and merge drivers of the user do not run for a repository', async () => {
  const { lab, one, two } = await createPair({ 'notes.md': 'first\n' })
  const { isSprung, program } = await createTrap()
  const settings = ['filter.trap.clean', 'filter.trap.smudge', 'merge.trap.driver', 'merge.default']
  for (const name of settings)
    await lab.git(
      one.folder,
      'config',
      '--global',
      name,
      name === 'merge.default' ? 'trap' : program,
    )
  await mkdir(join(one.folder, '.git', 'hooks'), { recursive: true })
  for (const hook of ['post-commit', 'pre-push', 'reference-transaction', 'post-index-change']) {
    await writeFile(join(one.folder, '.git', 'hooks', hook), await readFile(program))
    await chmod(join(one.folder, '.git', 'hooks', hook), 0o755)
  }
  await writeFile(join(two.folder, '.gitattributes'), '* filter=trap merge=trap\n')
  await two.write('notes.md', 'from two\n')
  const user = ['-c', 'filter.trap.clean=', '-c', 'filter.trap.smudge=']
  await lab.git(two.folder, ...user, 'add', '-A')
  await lab.git(two.folder, ...user, 'commit', '-qm', 'attributes')
  await lab.git(two.folder, 'push', '-q', 'origin', 'main')
  await one.write('notes.md', 'from one\n')

  expect(await one.service.sync()).toMatchObject({
    success: true,
    conflicts: [{ path: 'notes.md' }],
  })
  expect((await one.service.status()).isRepo).toBe(true)
  expect(isSprung()).toBe(false)
})

test('links, submodules and protected files of the remote are not written', async () => {
  const { lab, one, two } = await createPair({ 'notes.md': 'first\n' })
  const outside = await temporaryFolder()
  await symlink(outside, join(two.folder, 'link'))
  await two.write('.env', 'REMOTE=1\n')
  await lab.git(two.folder, 'add', '-f', 'link', '.env')
  const head = await lab.git(two.folder, 'rev-parse', 'HEAD')
  await lab.git(two.folder, 'update-index', '--add', '--cacheinfo', `160000,${head},module`)
  await lab.git(two.folder, 'commit', '-qm', 'special files')
  await lab.git(two.folder, 'push', '-q', 'origin', 'main')
  await one.write('.env', 'LOCAL=1\n')
  const { skipped } = (await one.service.sync()) as { skipped?: object[] }

  expect(skipped).toEqual(
    expect.arrayContaining([
      { path: '.env', reason: 'protected' },
      { path: 'link', reason: 'link' },
      { path: 'module', reason: 'submodule' },
    ]),
  )
  expect(await one.read('.env')).toBe('LOCAL=1\n')
  expect(existsSync(join(one.folder, 'link'))).toBe(false)
})

test('a file below a local link is not written through it', async () => {
  const { one, two } = await createPair({ 'notes.md': 'first\n' })
  const outside = await temporaryFolder()
  await symlink(outside, join(one.folder, 'memory'))
  await two.write('memory/day.md', 'from two\n')
  await two.service.sync()

  expect(await one.service.pull()).toMatchObject({
    success: true,
    skipped: [{ path: 'memory/day.md', reason: 'parent' }],
  })
  expect(existsSync(join(outside, 'day.md'))).toBe(false)
})

test('a .git file, a linked .git and a repository around the workspace are no repository', async () => {
  const { lab, one } = await createPair({ 'notes.md': 'first\n' })
  const git = join(one.folder, '.git')
  const elsewhere = join(await temporaryFolder(), 'git')
  await rename(git, elsewhere)
  await writeFile(git, `gitdir: ${elsewhere}\n`)
  expect(await one.service.status()).toMatchObject({ isRepo: false, degradedReason: 'linked' })
  await rm(git)
  await symlink(elsewhere, git)
  expect(await one.service.sync()).toMatchObject({ success: false, code: 'not_a_repository' })
  await rm(git)
  await lab.git(join(one.folder, '..'), 'init', '-q', one.folder)
  await rename(git, elsewhere.replace(/git$/, 'other'))
  expect(await one.service.status()).toMatchObject({ isRepo: false })
})

test.each(['ext::sh -c true', '--upload-pack=true', 'https://robin:synthetic@localhost/a.git'])(
  'the address %s is refused',
  async (url) => {
    const { one } = await createPair({ 'notes.md': 'first\n' })
    await appendFile(join(one.folder, '.git', 'config'), `[remote "origin"]\n\turl = "${url}"\n`)

    const outcome = await one.service.sync()
    expect(outcome).toMatchObject({ success: false, code: 'git_config_unsafe' })
    expect(JSON.stringify(outcome)).not.toContain('synthetic')
  },
)

test('files with a credential, and protected files, are never committed or pushed', async () => {
  const { lab, one } = await createPair({ 'notes.md': 'first\n' })
  const key = `ghp_${'a1B2'.repeat(9)}`
  await one.write('login.md', `The token is ${key}\n`)
  await one.write('memory/server.key', 'synthetic\n')
  // The log has this name in the workspace of the test.
  await one.write('memory/service.txt', 'a line of the log\n')
  expect(await one.service.sync()).toMatchObject({
    success: true,
    withheld: [{ path: 'login.md', kinds: ['github-token'] }],
  })
  await lab.git(one.folder, 'add', '-f', 'memory/server.key')
  await lab.git(one.folder, 'commit', '-qm', 'by hand')
  await lab.git(one.folder, 'rm', '-q', '--cached', 'memory/server.key')
  await lab.git(one.folder, 'commit', '-qm', 'removed again')

  expect(await one.service.push()).toMatchObject({
    success: false,
    code: 'protected_in_history',
    details: ['memory/server.key'],
  })
  expect(await lab.git(lab.remote, 'ls-tree', '-r', '--name-only', 'main')).toBe(
    '.gitignore\nnotes.md',
  )
})
