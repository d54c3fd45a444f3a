import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { list } from 'tar'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { startService, testEngine } from '../support/start-service.ts'

const service = await startService({ config: { features: { tea: true, milk: 'false' } } })
afterAll(() => service.stop())

const inWorkspace = (name: string) => join(service.workspace, name)
const settings = await readFile(inWorkspace('agent.yaml'), 'utf8')
const save = (file: unknown, content: unknown) =>
  service.ask('POST /api/config', { role: 'admin', body: { file, content } })
const polling = { timeout: 20_000, interval: 100 }

test('only the owner can read the files of the service', async () => {
  await service.ask('POST /api/memory/remember', { body: { content: 'for my eyes' } })
  const entries = await readdir(service.workspace, { recursive: true, withFileTypes: true })
  const created = entries.filter(
    (entry) => entry.isDirectory() || entry.parentPath !== service.workspace,
  )

  const open = await Promise.all(
    created.map(async ({ parentPath, name }) => {
      const { mode } = await stat(join(parentPath, name))
      return (mode & 0o077) === 0 ? [] : [name]
    }),
  )

  expect(created.map(({ name }) => name)).toContain('logs')
  expect(open.flat()).toEqual([])
})

describe('read files', () => {
  test('lists text files at the root, well-known files first', async () => {
    for (const name of ['zoo.md', 'bees.md', 'SOUL.md', 'notes.txt'])
      await writeFile(inWorkspace(name), name)
    await symlink('/etc/hostname', inWorkspace('link.md'))

    const { files } = (await service.ask('GET /api/config')).body
    const entries = files as { name: string; content: string; size: number }[]

    expect(entries.map(({ name }) => name)).toEqual(['agent.yaml', 'SOUL.md', 'bees.md', 'zoo.md'])
    expect(entries[1]).toEqual({ name: 'SOUL.md', content: 'SOUL.md', size: 7 })
  })

  test('refuses agents, because settings may contain secrets', async () => {
    expect((await service.ask('GET /api/config', { role: 'agent' })).status).toBe(403)
  })
})

describe('save a file', () => {
  test('stores the bytes unchanged', async () => {
    const content = '# Ünïcode\r\nand a line without an end'

    expect(await save('USER.md', content)).toMatchObject({ status: 200, body: { success: true } })
    expect(await readFile(inWorkspace('USER.md'), 'utf8')).toBe(content)
  })

  test('settings take effect immediately', async () => {
    await save('agent.yaml', `${settings}\nmemory: { pipelineV2: { mutationsFrozen: true } }\n`)
    const remember = async () => {
      const body = { content: 'stored' }
      return (await service.ask('POST /api/memory/remember', { body })).status
    }
    await vi.waitFor(async () => expect(await remember()).toBe(503), polling)

    await save('agent.yaml', settings)
    await vi.waitFor(async () => expect(await remember()).toBe(200), polling)
    expect(service.output()).toContain('"sections":["memory"]')
  })

  test('lists the settings that need a restart in the reply and the status', async () => {
    const reply = await save('agent.yaml', `${settings}\nlogging: { level: debug }\n`)
    const readSettings = async () => (await service.ask('GET /api/status')).body['settings']

    expect(reply.body).toEqual({
      success: true,
      waitingForRestart: ['logging.level'],
      unknownSettings: [],
    })
    const waitingForRestart = ['logging.level']
    await vi.waitFor(
      async () => expect(await readSettings()).toMatchObject({ waitingForRestart }),
      polling,
    )
    expect((await save('agent.yaml', settings)).body['waitingForRestart']).toEqual([])
  })

  test.each([
    [undefined, 'x', 'file is required'],
    ['USER.md', 7, 'content is required'],
    ['../USER.md', 'x', 'plain name'],
    ['a/b.md', 'x', 'plain name'],
    ['a\\b.md', 'x', 'plain name'],
    ['.hidden.md', 'x', 'plain name'],
    ['USER.md\0', 'x', 'plain name'],
    ['run.sh', 'x', 'plain name'],
    ['link.md', 'x', 'a link or a folder'],
  ])('refuses %j', async (file, content, error) => {
    const reply = await save(file, content)

    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(reply.body['error']).toContain(error)
  })

  test('refuses more than 1 MiB', async () => {
    const mebibyte = 1_048_576

    expect(await save('USER.md', 'x'.repeat(mebibyte + 1))).toMatchObject({
      status: 413,
      body: { code: 'file_too_large' },
    })
    expect((await save('USER.md', '"'.repeat(mebibyte))).status).toBe(200)
  })

  test.each([
    ['auth: [team', 'is not YAML'],
    ['auth: { mode: everybody }', 'auth.mode'],
    ['- a list', 'must hold settings'],
    ['memory: { pipelineV2: { mutationsFrozen: perhaps } }', 'mutationsFrozen'],
  ])('refuses the settings %j and leaves the file unchanged', async (content, error) => {
    const reply = await save('agent.yaml', content)

    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_settings' } })
    expect(reply.body['error']).toContain(error)
    expect(await readFile(inWorkspace('agent.yaml'), 'utf8')).toBe(settings)
  })

  test('refuses settings that pause the pipeline', async () => {
    const content = `${settings}\nmemory: { pipelineV2: { paused: true } }\n`

    expect(await save('agent.yaml', content)).toMatchObject({
      status: 409,
      body: { code: 'pipeline_setting' },
    })
  })

  test('a broken file leaves the last valid settings in use until it is replaced', async () => {
    const problem = async () => {
      const { settings } = (await service.ask('GET /api/status')).body
      return JSON.stringify(settings)
    }
    await writeFile(inWorkspace('agent.yaml'), 'auth: [team')
    await vi.waitFor(async () => expect(await problem()).toContain('is not YAML'), polling)
    expect((await service.ask('GET /api/agents', { role: 'anonymous' })).status).toBe(401)

    expect((await save('agent.yaml', settings)).status).toBe(200)
    await vi.waitFor(async () => expect(await problem()).not.toContain('is not YAML'), polling)
  })

  test('refuses callers other than administrators', async () => {
    const body = { file: 'USER.md', content: 'mine' }

    expect((await service.ask('POST /api/config', { body })).status).toBe(403)
  })
})

describe('features', () => {
  test('returns the features as booleans', async () => {
    expect((await service.ask('GET /api/features')).body).toEqual({ tea: true, milk: false })
  })

  test('requires the permission to read', async () => {
    expect((await service.ask('GET /api/features', { role: 'readonly' })).status).toBe(200)
    expect((await service.ask('GET /api/features', { role: 'anonymous' })).status).toBe(401)
  })
})

describe('identity', () => {
  test('reads the file, or returns defaults', async () => {
    const identity = async () => (await service.ask('GET /api/identity')).body

    expect(await identity()).toEqual({ name: 'Unknown', creature: '', vibe: '' })
    await save('IDENTITY.md', '# Who\n- **Name:** Ada\n- **Creature:** owl\n- *Vibe*: calm\n')
    expect(await identity()).toEqual({ name: 'Ada', creature: 'owl', vibe: 'calm' })
  })

  test('requires the permission to read', async () => {
    expect((await service.ask('GET /api/identity', { role: 'readonly' })).status).toBe(200)
    expect((await service.ask('GET /api/identity', { role: 'anonymous' })).status).toBe(401)
  })
})

describe.skipIf(testEngine === 'postgres')('backup', () => {
  const backUp = (file?: string) =>
    service.ask('POST /api/workspace/backup', { role: 'admin', body: { file } })

  test('writes one archive with the database and all files', async () => {
    const file = join(await makeFolder(), 'all.tar.gz')

    const { status, body } = await backUp(file)

    expect(status).toBe(200)
    const paths: string[] = []
    await list({
      file,
      onReadEntry: ({ path, type }) => void (type === 'File' && paths.push(path)),
    })
    expect(paths).toEqual(
      expect.arrayContaining(['manifest.json', 'memory/memories.db', 'agent.yaml']),
    )
    expect(paths.filter((path) => /daemon\.json|\.lock|logs\/|-wal|-shm|link/.test(path))).toEqual(
      [],
    )
    expect(body).toMatchObject({ file, files: paths.length - 1, sha256: expect.any(String) })
  })

  test('writes to the workspace by default, and later backups exclude it', async () => {
    const { body } = await backUp()
    const again = await backUp(join(await makeFolder(), 'again.tgz'))

    expect(await readdir(inWorkspace('backups'))).toHaveLength(1)
    expect(body['file']).toMatch(/backups.reverie-\d{8}T\d{6}Z\.tar\.gz$/)
    expect(again.body['files']).toBe(body['files'])
  })

  test('refuses a concurrent backup', async () => {
    const folder = await makeFolder()
    const names = ['a.tgz', 'b.tgz', 'c.tgz'].map((name) => join(folder, name))
    const replies = await Promise.all(names.map((name) => backUp(name)))

    const refused = replies.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(2)
    for (const { status, body } of refused)
      expect([status, body['code']]).toEqual([409, 'backup_under_way'])
    expect(await readdir(folder)).toHaveLength(1)
    expect((await backUp(join(folder, 'later.tgz'))).status).toBe(200)
  })

  test('refuses to replace a file', async () => {
    const file = join(await makeFolder(), 'mine.tar.gz')
    await writeFile(file, 'mine')

    expect(await backUp(file)).toMatchObject({ status: 409, body: { code: 'backup_exists' } })
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  test.each(['here.tar.gz', '/nowhere/at/all.tar.gz', '/etc/reverie.conf', '/a\0.tar.gz'])(
    'refuses to write to %j',
    async (file) => {
      expect(await backUp(file)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    },
  )

  test('refuses callers other than administrators', async () => {
    expect((await service.ask('POST /api/workspace/backup', { body: {} })).status).toBe(403)
  })
})

test.runIf(testEngine === 'postgres')('a backup of a server database is refused', async () => {
  const request = { role: 'admin', body: {} } as const

  expect(await service.ask('POST /api/workspace/backup', request)).toMatchObject({
    status: 409,
    body: { code: 'database_on_server' },
  })
})

test('an invalid setting prevents the start and is named in the error', async () => {
  const workspace = await makeFolder()
  const started = startService({ workspace, config: { logging: { level: 'loud' } } })
  onTestFinished(async () => started.then((late) => late.stop()).catch(() => undefined))

  await expect(started).rejects.toThrow('logging.level')
})
