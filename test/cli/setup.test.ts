import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeHome, readHome } from '../support/make-home.ts'
import { makeServiceHome } from '../support/make-service-home.ts'

test('setup --yes on a fresh home ends with a daemon, a harness and a recalled memory', async () => {
  const { home, json } = await makeServiceHome()
  await mkdir(join(home, '.claude'))
  const before = await readHome(home)
  const done = await json(['setup', '--yes', '--no-service'])

  expect(done).toMatchObject({
    workspace: join(home, '.svc'),
    mode: 'local',
    daemon: { status: 'started' },
    harnesses: [{ harness: 'claude-code', status: 'installed' }],
    memory: { deduped: false, recalled: true },
    healthy: true,
  })
  const { files } = await json(['service', 'install', '--dry-run'])
  expect(files).toHaveLength(1)

  const again = await json(['setup', '--yes', '--no-service'])
  expect(again).toMatchObject({
    daemon: { status: 'already_running' },
    harnesses: [{ status: 'unchanged' }],
    memory: { id: done.memory.id, deduped: true },
  })

  await json(['uninstall', 'claude-code'])
  await json(['stop'])
  expect(await readHome(home)).toEqual(before)
})

test('setup --yes starts at login where a service manager answers', async () => {
  const { json } = await makeServiceHome()
  expect(await json(['setup', '--yes'])).toMatchObject({ daemon: { status: 'installed' } })
  expect(await json(['setup', '--yes'])).toMatchObject({ daemon: { status: 'unchanged' } })
})

test('without a terminal, setup names the options that answer its questions', async () => {
  const { home, run } = await makeHome()
  const { code, stderr } = await run('setup', '--mode', 'local', '--no-harness')

  expect(code).toBe(2)
  expect(stderr).toContain(
    'needs --workspace, --service or --no-service, --notes or --no-notes, --sessions or --no-sessions',
  )
  expect(stderr).toContain('--yes')
  expect(await readHome(home)).toEqual({})
})

test('a team setup in a folder of its own makes notes searchable', async () => {
  const { home, run, json } = await makeServiceHome()
  const [workspace, notes] = [join(home, 'team'), join(home, 'notes')] as const
  await mkdir(notes)
  await writeFile(join(notes, 'moss.md'), '# Moss\n\nThe moss needs water on Fridays.\n')
  const options = ['--workspace', workspace, '--mode', 'team', '--no-harness', '--no-service']
  const done = await json(['setup', '--yes', ...options, '--notes', notes])

  expect(done).toMatchObject({ workspace, mode: 'team', imported: [{ created: true }] })
  const env = { SVC_PATH: workspace }
  expect((await run(['list'], env)).stderr).toContain('token')
  const { stdout: token } = await run(['token', 'create', '--role', 'admin', '--local'], env)
  const found = await run(['recall', 'when does the moss need water?'], {
    ...env,
    SVC_TOKEN: token.trim(),
  })
  expect(found.stdout).toContain('Fridays')
  await run(['stop'], env)
})
