import { mkdtemp, readFile, rename, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { list } from 'tar'
import { afterAll, expect, test } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { listPlacesHolding } from '../support/list-places-holding.ts'
import { removeFolder } from '../support/make-folder.ts'
import { type Ask, startService, testEngine } from '../support/start-service.ts'

const service = await startService()
const outside = await mkdtemp(join(tmpdir(), 'reverie-key-'))
afterAll(async () => {
  await service.stop()
  await removeFolder(outside)
})

const value = ['synthetic', 'Fern/Moss+Reed~', '4711'].join(' ')
const replies: string[] = []

async function ask(call: string, more: Ask = {}) {
  const reply = await service.ask(call, { role: 'admin', ...more })
  replies.push(JSON.stringify(reply.body))
  return reply
}

const put = (name: string, body: object) => ask(`POST /api/secrets/${name}`, { body })
const keyFile = join(service.workspace, '.secrets', 'key')
const storeFile = join(service.workspace, '.secrets', 'secrets.enc')

test('a secret is stored, listed by name, replaced and deleted', async () => {
  expect((await ask('GET /api/secrets')).body).toEqual({ secrets: [], provider: 'local' })
  expect((await put('FERN_TOKEN', { value })).body).toEqual({ success: true, name: 'FERN_TOKEN' })
  expect((await put('A_TOKEN', { value: 'abc' })).body).toMatchObject({
    warning: expect.stringContaining('too short'),
  })
  expect((await put('FERN_TOKEN', { value })).status).toBe(200)
  expect((await ask('GET /api/secrets')).body).toMatchObject({ secrets: ['A_TOKEN', 'FERN_TOKEN'] })
  expect((await ask('DELETE /api/secrets/A_TOKEN')).body).toEqual({
    success: true,
    name: 'A_TOKEN',
  })
  const again = await ask('DELETE /api/secrets/A_TOKEN')
  expect([again.status, again.body]).toMatchObject([
    404,
    { error: "Secret 'A_TOKEN' not found", code: 'secret_not_found' },
  ])
})

test('both files are readable by their owner only', async () => {
  const mode = async (path: string) => (await stat(path)).mode & 0o777

  expect(await mode(join(service.workspace, '.secrets'))).toBe(0o700)
  expect([await mode(keyFile), await mode(storeFile)]).toEqual([0o600, 0o600])
})

test.each([
  'exec',
  'EXEC',
  'svc_own',
  'SVC_X',
  'vault-a',
  '1A',
  'a.b',
  'a%20b',
  'a%00b',
  'x'.repeat(129),
])('the name %s is refused', async (name) => {
  const reply = await put(name, { value })

  // A longer path or another route may answer first.
  expect([400, 404]).toContain(reply.status)
  if (!/^exec$/.test(name)) expect(reply.body['error']).toBe('Invalid secret name')
})

test.each([
  [{}, 'value is required'],
  [{ value: '' }, 'value is required'],
  [{ value: 5 }, 'value is required'],
  [{ value: 'a\0b' }, 'value must be well-formed text without NUL'],
  [{ value: 'x'.repeat(65_537) }, 'value must have at most 65536 bytes'],
])('the body %# is refused', async (body, error) => {
  const reply = await put('FERN_TOKEN', body)

  expect([reply.status, reply.body['error']]).toEqual([400, error])
})

test('blanks around a value belong to it, and the longest value is stored', async () => {
  expect((await put('BLANK', { value: ' ' })).status).toBe(200)
  expect((await put('LONG', { value: 'x'.repeat(65_536) })).status).toBe(200)
  for (const name of ['BLANK', 'LONG']) await ask(`DELETE /api/secrets/${name}`)
})

test('session start shows the names', async () => {
  const body = { harness: 'mine', sessionKey: 'agent:secrets:one', runtimePath: 'plugin' }
  const reply = await ask('POST /api/hooks/session-start', { body, agent: 'secrets' })

  expect(JSON.stringify(reply.body)).toContain('FERN_TOKEN')
})

test('without its key the store is locked, names are listed and the file stays', async () => {
  const before = await readFile(storeFile)
  await rename(keyFile, join(outside, 'key'))
  const locked = { status: 503, body: { code: 'secrets_locked', reason: 'key_missing' } }

  expect((await ask('GET /api/secrets')).body).toMatchObject({ secrets: ['FERN_TOKEN'] })
  expect(await put('OTHER', { value })).toMatchObject(locked)
  expect(await ask('DELETE /api/secrets/FERN_TOKEN')).toMatchObject(locked)
  expect(await ask('POST /api/secrets/vault-local/rotate-key')).toMatchObject(locked)
  const exec = { command: 'true', secrets: { FERN: 'FERN_TOKEN' } }
  expect(await ask('POST /api/secrets/exec', { body: exec })).toMatchObject(locked)
  const named = { body: { command: 'true' } }
  expect(await ask('POST /api/secrets/FERN_TOKEN/exec', named)).toMatchObject(locked)
  const health = await ask('GET /health/ready')
  expect(health.body).toMatchObject({
    status: 'ready',
    checks: { capabilities: { secrets: { state: 'locked', secrets: 1 } } },
  })
  expect(await readFile(storeFile)).toEqual(before)
  await rename(join(outside, 'key'), keyFile)
  expect((await ask('GET /api/secrets/vault-local/status')).body).toMatchObject({
    state: 'ready',
    secrets: 1,
    unreadable: 0,
  })
})

test('a rotation replaces the key and survives a restart', async () => {
  const before = await readFile(keyFile, 'utf8')
  const { body } = await ask('POST /api/secrets/vault-local/rotate-key')
  await service.restart()

  expect(body).toMatchObject({ success: true, keyId: expect.stringMatching(/^[0-9a-f]{16}$/) })
  expect(await readFile(keyFile, 'utf8')).not.toBe(before)
  expect((await ask('GET /api/secrets/vault-local/status')).body).toMatchObject({
    state: 'ready',
    unreadable: 0,
    keyId: body['keyId'],
  })
})

test.skipIf(testEngine === 'postgres')('a backup holds the secrets and not the key', async () => {
  const { body } = await ask('POST /api/workspace/backup', { body: {} })
  const paths: string[] = []
  await list({ file: String(body['file']), onReadEntry: ({ path }) => paths.push(path) })

  expect(paths).toContain('.secrets/secrets.enc')
  expect(paths).not.toContain('.secrets/key')
})

test('the value is in no reply, file, table or log', async () => {
  await expectNoLeak(service, [value], replies)
  expect(await listPlacesHolding(service, ['fern_token'])).not.toEqual([])
})
