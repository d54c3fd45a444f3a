import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { reverieOf, runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({ engine: 'sqlite' })
afterAll(() => service.stop())
const operator = reverieOf(service)
const admin = reverieOf(service, 'admin')
const agent = reverieOf(service, 'agent')
const as = (token: unknown) => ({ SVC_URL: service.url, SVC_TOKEN: String(token) })
const settings = join(service.workspace, 'agent.yaml')

describe('logs', () => {
  test('work, in one document with --json', async () => {
    const { logs, count } = await operator.json(['logs', '-n', '3', '--level', 'info'])

    expect(logs).toHaveLength(Number(count))
    expect(logs).toContainEqual({
      at: expect.any(String),
      timestamp: expect.any(String),
      level: 'info',
      category: expect.any(String),
      message: 'ready',
      data: expect.objectContaining({ engine: 'sqlite', version: expect.any(String) }),
    })
    expect((await operator.run(['logs'])).stdout).toMatch(/ info {2}.* ready\n/)
    expect((await operator.run(['logs', '--level', 'error'])).stdout).toBe('The log is empty.\n')
    const inCategory = async (name: string) =>
      (await operator.run(['logs', '--category', name])).stdout
    expect(await inCategory('daemon')).toContain('ready')
    expect(await inCategory('sync')).toBe('The log is empty.\n')
  })

  test('exit with 3 without the permission', async () => {
    expect((await agent.run(['logs'])).code).toBe(3)
  })
})

describe('config', () => {
  test('set saves a value that get shows, and retains comments', async () => {
    await admin.run(['config', 'set', 'search.top_k', '30'])
    const text = await readFile(settings, 'utf8')
    expect(text).toContain('top_k: 30')

    expect(await admin.json(['config', 'set', 'logging.level', 'warn'])).toEqual({
      key: 'logging.level',
      value: 'warn',
      waitingForRestart: ['logging.level'],
    })
    expect(await operator.json(['config', 'get', 'logging.level'])).toEqual({
      key: 'logging.level',
      value: 'warn',
    })
    expect(await operator.json(['config', 'get'])).toMatchObject({ auth: { mode: 'team' } })
    expect((await operator.run(['config', 'get', 'search.top_k'])).stdout).toBe('30\n')
  })

  test('get exits with 4 for a key without a value', async () => {
    const { code, stderr } = await operator.run(['config', 'get', 'tea.sugar', '--json'])

    expect(code).toBe(4)
    expect(JSON.parse(stderr)).toMatchObject({ code: 'not_set', hint: 'The default applies.' })
  })

  test.each([
    ['logging.levle', 'debug', 'logging.levle', 'Did you mean logging.level?'],
    ['serach', '{ top_k: 3 }', 'serach.top_k', 'Did you mean search.top_k?'],
    ['search', '{ topp_k: 3 }', 'search.topp_k', 'Did you mean search.top_k?'],
    ['zebra', 'x', 'zebra', expect.not.stringContaining('Did you mean')],
  ])(
    'set exits with 2 for the unknown key %s, and saves nothing',
    async (key, value, name, hint) => {
      const before = await readFile(settings, 'utf8')

      const { code, stderr } = await admin.run(['config', 'set', key, value, '--json'])

      expect(code).toBe(2)
      expect(JSON.parse(stderr)).toMatchObject({
        code: 'unknown_setting',
        error: `${name} is not a setting`,
        hint,
      })
      expect(await readFile(settings, 'utf8')).toBe(before)
    },
  )

  test.each([
    ['features.darkMode', 'true'],
    ['auth.rateLimits.forceDelete.max', '7'],
    ['hooks.harnessProfiles.mine', 'brief'],
  ])('set accepts %s, whose name the user chooses', async (key, value) => {
    const { code, stderr } = await admin.run(['config', 'set', key, value])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('set changes a known key of a file that has an unknown one', async () => {
    const before = await readFile(settings, 'utf8')
    await writeFile(settings, `${before}\nzebra: 1\n`)

    expect((await admin.run(['config', 'set', 'search.top_k', '31'])).code).toBe(0)
    expect(await readFile(settings, 'utf8')).toContain('zebra: 1')
    await writeFile(settings, before)
  })

  test('set exits with 2 for an invalid key, and with 3 for an invalid value', async () => {
    expect((await admin.run(['config', 'set', 'auth..mode', 'team'])).code).toBe(2)
    expect((await admin.run(['config', 'set', 'auth.mode.deep', 'team'])).code).toBe(2)
    const { code, stderr } = await admin.run(['config', 'set', 'auth.mode', 'none', '--json'])

    expect(code).toBe(3)
    expect(JSON.parse(stderr)).toMatchObject({ code: 'invalid_settings' })
    expect((await operator.json(['config', 'get', 'auth.mode']))['value']).toBe('team')
  })

  test('set exits with 3 without the permission', async () => {
    expect((await operator.run(['config', 'set', 'logging.level', 'debug'])).code).toBe(3)
  })
})

describe('token create', () => {
  test('works, confined to an agent', async () => {
    const made = await admin.json(['token', 'create', '--role', 'agent', '--for', 'ada'])

    expect(made).toEqual({ token: expect.any(String), expiresAt: expect.any(String) })
    const env = as(made['token'])
    expect((await runReverie(['list', '--agent', 'ada'], { env })).code).toBe(0)
    expect((await runReverie(['list', '--agent', 'bob'], { env })).code).toBe(3)
  })

  test.each([
    [['--role', 'admin', '--for', 'ada'], true],
    [['--role', 'admin', '--project', 'garden', '--local'], true],
    [['--role', 'admin', '--only', 'admin,recall', '--for', 'ada'], true],
    [['--role', 'admin', '--only', 'recall', '--for', 'ada'], false],
    [['--role', 'admin'], false],
    [['--role', 'operator', '--for', 'ada'], false],
  ])('%j notes that the permission admin overrides a scope: %s', async (options, isNoted) => {
    const env = { ...admin.env, SVC_PATH: service.workspace }
    const { code, stderr } = await runReverie(['token', 'create', ...options], { env })

    expect(code).toBe(0)
    expect(stderr.includes('The permission admin overrides')).toBe(isNoted)
  })

  test('works for people: the token alone is on stdout', async () => {
    const options = ['--role', 'readonly', '--ttl', '60', '--name', 'spade']
    const { stdout, stderr } = await admin.run(['token', 'create', ...options])

    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\n$/)
    expect(stderr).toContain('Valid until')
    const headers = { authorization: `Bearer ${stdout.trim()}` }
    const { body } = await service.ask('GET /api/auth/whoami', { role: 'anonymous', headers })
    expect(body).toMatchObject({ claims: { sub: 'spade', role: 'readonly' }, error: null })
  })

  test('--only restricts the permissions, with and without --local', async () => {
    const args = ['token', 'create', '--role', 'admin', '--only', 'recall,gateway', '--for', 'ada']
    const env = { SVC_PATH: service.workspace, SVC_URL: 'http://127.0.0.1:9' }
    const local = await runReverie([...args, '--local', '--json'], { env })

    for (const token of [(await admin.json(args))['token'], JSON.parse(local.stdout).token]) {
      expect((await runReverie(['list', '--agent', 'ada'], { env: as(token) })).code).toBe(0)
      expect((await runReverie(['list', '--agent', 'bob'], { env: as(token) })).code).toBe(3)
      expect((await runReverie(['logs'], { env: as(token) })).code).toBe(3)
    }
    const unknown = ['token', 'create', '--role', 'agent', '--only', 'gateway', '--local']
    expect((await runReverie(unknown, { env })).code).toBe(2)
  })

  test('works with --local, without a daemon or a token', async () => {
    const env = { SVC_PATH: service.workspace, SVC_URL: 'http://127.0.0.1:9' }
    const args = ['token', 'create', '--role', 'admin', '--local', '--json']
    const { code, stdout } = await runReverie(args, { env })

    expect(code).toBe(0)
    const { token } = JSON.parse(stdout)
    expect((await runReverie(['logs'], { env: as(token) })).code).toBe(0)
  })

  test('exits with 3 without a secret, and without the permission', async () => {
    const env = { SVC_PATH: await makeFolder() }
    const args = ['token', 'create', '--role', 'admin', '--local', '--json']
    const { code, stderr } = await runReverie(args, { env })

    expect(code).toBe(3)
    expect(JSON.parse(stderr)).toMatchObject({ code: 'no_secret' })
    expect((await operator.run(['token', 'create', '--role', 'admin'])).code).toBe(3)
  })
})

describe('backup', () => {
  test('works, and can be restored', async () => {
    const folder = await makeFolder()
    const file = join(folder, 'all.tar.gz')

    const made = await admin.json(['backup', file])

    expect(made).toMatchObject({ file, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const into = join(folder, 'restored')
    expect(await admin.json(['restore', file, '--into', into])).toEqual({
      folder: into,
      files: made['files'],
      bytes: expect.any(Number),
    })
  })

  test('exits with 6 if the file exists, and with 3 without the permission', async () => {
    const file = join(await makeFolder(), 'all.tar.gz')
    await admin.run(['backup', file])

    expect((await admin.run(['backup', file])).code).toBe(6)
    expect((await operator.run(['backup', `${file}.tgz`])).code).toBe(3)
  })
})

describe('db', () => {
  test('tables lists the tables, and show prints every field of a row', async () => {
    await operator.run(['remember', 'The ladder stands behind the shed.'])

    expect((await operator.run(['db', 'tables'])).stdout).toMatch(/^memories +core +table/m)
    const { stdout } = await operator.run(['db', 'show', 'memories', '--limit', '1'])
    expect(stdout).toMatch(/^content +The ladder stands behind the shed\.$/m)
    expect((await operator.run(['db', 'show', 'api_keys'])).stderr).toContain('holds credentials')
  })

  test('show exits with 4 for a table that is not there', async () => {
    expect((await operator.run(['db', 'show', 'shed'])).code).toBe(4)
  })
})

describe('settings that are on or off', () => {
  test('take true or false: a task is disabled, and git sync is switched', async () => {
    const added = ['task', 'add', 'Report', 'Summarize.', '0 9 * * 1', 'claude-code']
    const { id } = await admin.json(added)
    const edit = (value: string) => admin.run(['task', 'edit', String(id), '--enabled', value])
    expect((await edit('false')).code).toBe(0)
    const { task } = await admin.json(['task', 'show', String(id)])
    expect(task).toMatchObject({ enabled: 0, next_run_at: null })
    expect((await edit('no')).stderr).toContain('It must be true or false.')
    for (const value of ['true', 'false']) {
      const { config } = await admin.json(['git', 'config', '--auto-commit', value])
      expect(config).toMatchObject({ autoCommit: value === 'true' })
    }
  })
})

describe('agents', () => {
  test('update and delete work', async () => {
    await operator.run(['agents', 'create', 'lin'])

    expect(await operator.json(['agents', 'update', 'lin', '--policy', 'shared'])).toMatchObject({
      name: 'lin',
      read_policy: 'shared',
    })
    expect(await admin.json(['agents', 'delete', 'lin'])).toEqual({ success: true, purged: false })
    expect((await admin.run(['agents', 'delete', 'lin'])).code).toBe(4)
    await operator.run(['agents', 'create', 'lin'])
    const { stdout } = await admin.run(['agents', 'delete', 'lin', '--purge'])
    expect(stdout).toBe('Removed lin; its memories are deleted permanently.\n')
  })

  test('delete exits with 3 without the permission', async () => {
    expect((await operator.run(['agents', 'delete', 'default'])).code).toBe(3)
  })

  test('update exits with 2 without a change', async () => {
    expect((await operator.run(['agents', 'update', 'lin'])).code).toBe(2)
  })
})

test.each([
  ['task show', 'task', 'task list'],
  ['plugin show', 'plugin', 'plugin list'],
  ['plugin enable', 'plugin', 'plugin list'],
  ['plugin grant', 'plugin', 'plugin list'],
  ['skill show', 'skill', 'skill list'],
  ['db show', 'table', 'db tables'],
  ['source show', 'source', 'source list'],
  ['keys revoke --yes', 'API key', 'keys list'],
  ['secret has', 'secret', 'secret list'],
])('%s names what is missing and the command that lists it', async (command, noun, list) => {
  const { code, stderr } = await admin.run([...command.split(' '), 'no-such-one', '--json'])

  expect(code).toBe(4)
  expect(JSON.parse(stderr)).toMatchObject({
    error: `there is no ${noun} no-such-one`,
    hint: `List the ${noun}s with: reverie ${list}`,
  })
})
