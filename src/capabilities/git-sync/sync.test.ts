import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { createLab, createMachine, createPair } from './git-sync.fixture.ts'
import { gitHealth } from './health.ts'

// Each test runs many processes.
vi.setConfig({ testTimeout: 60_000 })

const success = { success: true, error: null }

test('a workspace becomes a repository, and a second one receives its files', async () => {
  const lab = await createLab()
  const [one, two] = [await createMachine(lab), await createMachine(lab)]
  await one.write('notes.md', 'first\n')
  await one.write('memory/day.md', 'a\n')
  await two.write('own.md', 'mine\n')
  await two.write('notes.md', 'another\n')
  for (const { service } of [one, two]) {
    expect(await service.init({ remoteUrl: lab.remote })).toMatchObject(success)
    expect(await service.sync()).toMatchObject(success)
  }

  expect(await two.read('notes.md')).toBe('another\n')
  expect(await two.read('memory/day.md')).toBe('a\n')
  expect(await two.read('own.md')).toBe('mine\n')
  expect(await one.service.status()).toMatchObject({
    isRepo: true,
    branch: 'main',
    ahead: 0,
    behind: 0,
    dirty: false,
    remote: lab.remote,
    hasCredentials: true,
    lastCommit: { message: expect.stringMatching(/_auto_\.gitignore memory\/day\.md notes\.md$/) },
  })
  expect((await stat(join(two.folder, 'memory/day.md'))).mode & 0o777).toBe(0o600)
})

test('a fast-forward changes and removes files', async () => {
  const { one, two } = await createPair({ 'notes.md': 'first\n', 'old.md': 'old\n' })
  await one.write('notes.md', 'second\n')
  await rm(join(one.folder, 'old.md'))
  expect(await one.service.sync()).toMatchObject({ ...success, pushed: 1 })

  expect(await two.service.pull()).toMatchObject({ ...success, changes: 1, conflicts: [] })
  expect(await two.read('notes.md')).toBe('second\n')
  expect((await readdir(two.folder)).toSorted()).toEqual([
    '.daemon',
    '.git',
    '.gitignore',
    'notes.md',
  ])
  expect(await two.service.status()).toMatchObject({ dirty: false, ahead: 0, behind: 0 })
})

test('both texts are present on both machines after changes of different files', async () => {
  const { lab, one, two } = await createPair({ 'notes.md': 'first\n' })
  await one.write('one.md', 'from one\n')
  await two.write('two.md', 'from two\n')
  await one.service.sync()
  expect(await two.service.sync()).toMatchObject({ ...success, pulled: 1, conflicts: [] })
  await one.service.sync()

  for (const { folder, read } of [one, two]) {
    expect([await read('one.md'), await read('two.md')]).toEqual(['from one\n', 'from two\n'])
    expect(await lab.git(folder, 'status', '--porcelain')).toBe('')
  }
})

test('changes of different lines of a file are merged', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`)
  const { one, two } = await createPair({ 'notes.md': lines.join('') })
  await one.write('notes.md', lines.with(1, 'one\n').join(''))
  await two.write('notes.md', lines.with(18, 'two\n').join(''))
  await one.service.sync()
  await two.service.sync()

  expect(await two.read('notes.md')).toBe(lines.with(1, 'one\n').with(18, 'two\n').join(''))
})

test('a conflict retains both versions, without markers', async () => {
  const { one, two } = await createPair({ 'notes.md': 'first\n' })
  await one.write('notes.md', 'from one\n')
  await two.write('notes.md', 'from two\n')
  await one.service.sync()
  const { conflicts = [] } = (await two.service.sync()) as { conflicts?: { copyPath?: string }[] }

  expect(conflicts).toEqual([
    {
      path: 'notes.md',
      resolution: 'both',
      copyPath: expect.stringMatching(/^notes\.conflict-[0-9a-f]{8}\.md$/),
    },
  ])
  const copy = conflicts[0]?.copyPath ?? ''
  expect([await two.read('notes.md'), await two.read(copy)]).toEqual(['from two\n', 'from one\n'])
  expect(await two.service.status()).toMatchObject({ conflicts: 1, dirty: false })
  await one.service.sync()
  expect([await one.read('notes.md'), await one.read(copy)]).toEqual(['from two\n', 'from one\n'])
  await rm(join(two.folder, copy))
  expect(await two.service.status()).toMatchObject({ conflicts: 0 })
})

test('a pull into changed files that are not committed retains both versions', async () => {
  const { lab, one, two } = await createPair({ 'notes.md': 'first\n' }, { autoCommit: true })
  await one.write('notes.md', 'from one\n')
  await one.service.sync()
  await two.write('notes.md', 'from two\n')
  await two.write('other.txt', 'not watched\n')
  const pulled = await two.service.pull()

  expect(pulled).toMatchObject({
    ...success,
    conflicts: [{ path: 'notes.md', resolution: 'both' }],
    saved: expect.stringMatching(/^refs\/reverie\/saved\//),
  })
  expect(await two.read('notes.md')).toBe('from two\n')
  expect(await two.read('other.txt')).toBe('not watched\n')
  const { saved } = pulled as { saved: string }
  expect(await lab.git(two.folder, 'show', `${saved}:notes.md`)).toBe('from two')
  expect(await lab.git(two.folder, 'show', `${saved}:other.txt`)).toBe('not watched')
})

test('each kind of file has its rule', async () => {
  const first = { 'a.md': 'a\n', 'MEMORY.md': 'm\n', 'transcripts/t.jsonl': '{"n":1}\n' }
  const { one, two } = await createPair(first)
  await one.write('MEMORY.md', 'one\n')
  await two.write('MEMORY.md', 'two\n')
  await one.write('transcripts/t.jsonl', '{"n":1}\n{"one":1}\n')
  await two.write('transcripts/t.jsonl', '{"n":1}\n{"two":1}\n')
  await rm(join(one.folder, 'a.md'))
  await two.write('a.md', 'changed\n')
  await one.write('memory/image.bin', Buffer.from([0, 1, 255, 254]))
  await two.write('memory/image.bin', Buffer.from([0, 2, 255, 254]))
  await one.service.sync()
  const { conflicts = [] } = (await two.service.sync()) as { conflicts?: { path: string }[] }

  expect(Object.fromEntries(conflicts.map((each) => [each.path, each]))).toMatchObject({
    'MEMORY.md': { resolution: 'ours' },
    'transcripts/t.jsonl': { resolution: 'union' },
    'a.md': { resolution: 'changed' },
    'memory/image.bin': { resolution: 'both' },
  })
  expect(await two.read('MEMORY.md')).toBe('two\n')
  expect(await two.read('transcripts/t.jsonl')).toBe('{"n":1}\n{"two":1}\n{"one":1}\n')
  expect(await two.read('a.md')).toBe('changed\n')
})

test('settings of the remote do not change what this machine runs', async () => {
  const { one, two } = await createPair({ 'agent.yaml': 'memory:\n  a: 1\n', 'notes.md': 'a\n' })
  await one.write('agent.yaml', 'memory:\n  a: 1\ninference:\n  targets: {}\n')
  await one.service.sync()
  const { conflicts } = (await two.service.sync()) as { conflicts?: object[] }

  expect(conflicts).toMatchObject([{ path: 'agent.yaml', resolution: 'both' }])
  expect(await two.read('agent.yaml')).toBe('memory:\n  a: 1\n')
  expect(await two.service.sync()).toMatchObject({ ...success, pushed: 0 })
  expect((await one.service.sync()).success).toBe(true)
  expect(await one.read('agent.yaml')).toContain('inference')
})

test('other settings of the remote are applied', async () => {
  const { one, two } = await createPair({ 'agent.yaml': 'search:\n  top_k: 1\n' })
  await one.write('agent.yaml', 'search:\n  top_k: 2\n')
  expect(await one.service.sync()).toMatchObject({ ...success, pushed: 1 })
  expect(await two.service.sync()).toMatchObject({ ...success, pulled: 1, conflicts: [] })

  expect(await two.read('agent.yaml')).toBe('search:\n  top_k: 2\n')
})

test('a rewritten remote is merged, and nothing is reset', async () => {
  const { lab, one, two } = await createPair({ 'notes.md': 'first\n' })
  await one.write('notes.md', 'second\n')
  await one.service.sync()
  await two.service.sync()
  await lab.git(one.folder, 'reset', '-q', '--hard', 'HEAD~1')
  await one.write('other.md', 'replaced\n')
  await lab.git(one.folder, 'add', '-A')
  await lab.git(one.folder, 'commit', '-qm', 'replaced')
  await lab.git(one.folder, 'push', '-q', '--force', lab.remote, 'HEAD:main')

  expect(await two.service.sync()).toMatchObject({ ...success, rewritten: true })
  expect([await two.read('notes.md'), await two.read('other.md')]).toEqual([
    'second\n',
    'replaced\n',
  ])
})

test('a remote without a common commit changes nothing', async () => {
  const { one } = await createPair({ 'notes.md': 'first\n' })
  const other = await createPair({ 'notes.md': 'other\n' })
  await other.lab.git(one.folder, 'config', 'remote.origin.url', other.lab.remote)
  await one.write('notes.md', 'changed\n')

  expect(await one.service.pull()).toMatchObject({ success: false, code: 'unrelated_histories' })
  expect(await one.read('notes.md')).toBe('changed\n')
})

test('git.diverged refuse stops where both sides have commits', async () => {
  const { one, two } = await createPair({ 'notes.md': 'first\n' }, { diverged: 'refuse' })
  await one.write('one.md', 'one\n')
  await two.write('two.md', 'two\n')
  await one.service.sync()

  expect(await two.service.sync()).toMatchObject({ success: false, code: 'diverged' })
})

test('a push never replaces newer commits, and a sync repeats it', async () => {
  const { one, two } = await createPair({ 'notes.md': 'first\n' })
  await one.write('one.md', 'one\n')
  await one.service.sync()
  await two.write('two.md', 'two\n')
  await two.service.commit(new AbortController().signal)

  expect(await two.service.push()).toMatchObject({ success: false, code: 'push_rejected' })
  expect(await two.service.sync()).toMatchObject({ ...success, pulled: 1, pushed: 2 })
})

test('a workspace without a repository or without a remote answers so', async () => {
  const lab = await createLab()
  const { service } = await createMachine(lab, { autoCommit: false })

  expect(await service.status()).toEqual({
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
  expect(await service.pull()).toMatchObject({ success: false, code: 'not_a_repository' })
  // Git is not in use here, so that its health has no reason.
  expect(await gitHealth({ host: realHost }, service).check()).toMatchObject({ status: 'ok' })
  expect(await service.init({})).toMatchObject({ success: true, branch: 'main', remote: null })
  await expect(service.init({})).rejects.toMatchObject({ code: 'git_repository_exists' })
  expect(await service.pull()).toMatchObject({ ...success, changes: 0 })
  expect(await service.push()).toMatchObject({ ...success, changes: 0 })
  expect(await service.status()).toMatchObject({ isRepo: true, authMethod: 'no-remote' })
})

test('a sync without a commit names the setting that commits', async () => {
  const lab = await createLab()
  const { service, write } = await createMachine(lab, { autoCommit: false })
  await write('notes.md', 'first\n')
  await service.init({ remoteUrl: lab.remote })

  const synced = await service.sync()
  expect(synced).toMatchObject({ ...success, message: expect.stringContaining('git.autoCommit') })
})

test('a second operation at the same time is refused', async () => {
  const { one } = await createPair({ 'notes.md': 'first\n' })
  const first = one.service.sync()

  expect(await one.service.pull()).toMatchObject({ success: false, code: 'in_progress' })
  expect((await first).success).toBe(true)
})
