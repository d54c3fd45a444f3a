import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { removeFolder } from '../support/make-folder.ts'
import { type Ask, startService } from '../support/start-service.ts'
import { makeVaultClients } from '../support/vault-clients.ts'

const folder = await mkdtemp(join(tmpdir(), 'reverie-vaults-'))
const clients = await makeVaultClients(folder)
const service = await startService({ env: { PATH: clients.path } })
afterAll(async () => {
  await service.stop()
  await removeFolder(folder)
})

const session = ['session', 'Fir/Pine+Yew~', '3311'].join('-')
const token = ['token', 'Ash/Oak+Elm~', '7722'].join('-')
const value = ['synthetic', 'Larch/Birch+Alder~', '9933'].join('-')
const replies: string[] = []

async function ask(call: string, more: Ask = {}) {
  const reply = await service.ask(call, { role: 'admin', ...more })
  replies.push(JSON.stringify(reply.body))
  return reply
}
const post = (path: string, body: object) => ask(`POST /api/secrets/${path}`, { body })

async function run(reference: string) {
  const script = `sh -c 'printf %s "$OUT" | wc -c'`
  const { body } = await post('exec', { command: script, secrets: { OUT: reference } })
  return await vi.waitFor(
    async () => {
      const { body: job } = await ask(`GET /api/secrets/exec/${body['id']}`)
      expect(['completed', 'failed']).toContain(job['status'])
      return job
    },
    { timeout: 20_000, interval: 50 },
  )
}

const own = { session, folders: [{ id: 'f1', name: 'Agents' }] }
const managed = (name: string, password = value) => ({
  id: `id-${name}`,
  name,
  type: 1,
  folderId: null,
  login: { username: 'svc', password },
})

test('without a connection both vaults report it, and other calls are refused', async () => {
  expect((await ask('GET /api/secrets/vault-a/status')).body).toEqual({
    configured: false,
    connected: false,
    activeProvider: false,
  })
  expect((await ask('GET /api/secrets/vault-b/status')).body).toEqual({
    configured: false,
    connected: false,
    vaults: [],
  })
  for (const call of ['GET /api/secrets/vault-a/folders', 'GET /api/secrets/vault-b/vaults'])
    expect(await ask(call)).toMatchObject({ status: 400, body: { code: 'vault_not_connected' } })
  for (const [path, body] of [
    ['vault-a/provider', { provider: 'vault-a' }],
    ['vault-a/migrate', {}],
    ['vault-b/import', {}],
  ] as const)
    expect(await post(path, body)).toMatchObject({
      status: 400,
      body: { code: 'vault_not_connected' },
    })
})

test.each([
  ['vault-a/connect', {}, 'session is required'],
  ['vault-a/connect', { session: 5 }, 'session is required'],
  ['vault-a/connect', { session: 'a\nb' }, 'the credential must be one line'],
  ['vault-a/provider', { provider: 'vault-c' }, 'provider must be local or vault-a'],
  ['vault-b/connect', {}, 'token is required'],
  ['vault-b/import', { prefix: 'a b' }, 'prefix must be a short name'],
])('%s with %j is refused', async (path, body, error) => {
  const reply = await post(path, body)

  expect([reply.status, reply.body['error']]).toEqual([400, error])
})

test('a session that does not unlock the vault is refused, and is not stored', async () => {
  await clients.setA(own)

  expect(await post('vault-a/connect', { session: 'wrong-session' })).toMatchObject({
    status: 400,
    body: { code: 'vault_session_invalid' },
  })
  expect((await ask('GET /api/secrets/vault-a/status')).body['configured']).toBe(false)
})

test('while vault-a is active, secrets are written to it, and read before local copies', async () => {
  await post('SPRUCE', { value: 'local-spruce' })
  await clients.setA({ ...own, items: [managed('SPRUCE'), managed('WILLOW')] })
  expect((await post('vault-a/connect', { token: session, activate: true })).body).toMatchObject({
    success: true,
    connected: true,
    activeProvider: true,
    userEmail: 'ann@example.com',
    folders: [{ id: 'f1', name: 'Agents' }],
  })
  expect((await ask('GET /api/secrets/vault-a/folders')).body).toMatchObject({ count: 1 })

  expect((await ask('GET /api/secrets')).body).toEqual({
    secrets: ['SPRUCE', 'WILLOW'],
    provider: 'vault-a',
  })
  const length = async (reference: string) =>
    Object((await run(reference))['result']).stdout?.trim()
  expect(await length('SPRUCE')).toBe(String(value.length))
  expect(await length('local://SPRUCE')).toBe('12')
  expect(await length('vault-a://name/WILLOW')).toBe(String(value.length))
  expect(await length('bw://item/id-WILLOW/username')).toBe('3')
  expect((await run('bw://item/id-none/password'))['status']).toBe('failed')

  await post('POPLAR', { value })
  await post('WILLOW', { value: `${value}+` })
  expect(await length('POPLAR')).toBe(String(value.length))
  expect(await length('WILLOW')).toBe(String(value.length + 1))
  expect((await ask('DELETE /api/secrets/SPRUCE')).status).toBe(200)
  expect((await ask('GET /api/secrets')).body['secrets']).toEqual(['POPLAR', 'WILLOW'])
  expect((await run('SPRUCE'))['status']).toBe('failed')
})

test('local secrets are migrated once, and deleted only on request', async () => {
  await post('vault-a/provider', { provider: 'local' })
  for (const name of ['CEDAR', 'POPLAR']) await post(name, { value })
  const planned = await post('vault-a/migrate', { deleteLocal: true })
  expect(planned.body).toMatchObject({ dryRun: true, migratedCount: 1, skippedCount: 1 })
  expect((await ask('GET /api/secrets')).body['secrets']).toContain('CEDAR')

  const done = await post('vault-a/migrate', { dryRun: false, deleteLocal: true })
  expect(done.body).toMatchObject({
    success: true,
    migratedCount: 1,
    deletedLocalCount: 1,
    results: [
      { name: 'CEDAR', action: 'migrated', itemId: expect.stringMatching(/^item-/) },
      { name: 'CEDAR', action: 'deleted-local' },
      { name: 'POPLAR', action: 'skipped' },
    ],
  })
  expect((await ask('GET /api/secrets')).body['secrets']).not.toContain('CEDAR')
})

test('a locked, a broken and a missing client are reported and fail no other call', async () => {
  await clients.setA({ ...own, status: 'locked' })
  expect((await ask('GET /api/secrets/vault-a/status')).body).toMatchObject({
    configured: true,
    connected: false,
    error: 'the vault is locked',
  })
  await clients.setA({ ...own, mode: 'no-json' })
  expect((await ask('GET /api/secrets/vault-a/folders')).body['code']).toBe('vault_unavailable')
  await clients.setA({ ...own, mode: 'broken' })
  expect((await ask('GET /api/secrets/vault-a/folders')).body).toMatchObject({
    code: 'vault_failed',
    error: expect.stringContaining('the client is broken'),
  })
  expect((await ask('GET /api/secrets')).status).toBe(200)
  expect((await run('local://POPLAR'))['status']).toBe('completed')

  await rm(join(folder, 'bw'))
  expect((await ask('GET /api/secrets/vault-a/folders')).status).toBe(503)
  expect((await ask('DELETE /api/secrets/vault-a/connect')).body).toEqual({
    success: true,
    disconnected: true,
    existed: true,
    activeProvider: false,
  })
  expect((await post('vault-a/connect', { session })).body['code']).toMatch(
    /vault_(client_missing|unavailable)/,
  )
})

const field = (id: string, more: object) => ({ id, type: 'STRING', value, ...more })
const farm = {
  token,
  vaults: [
    { id: 'v1', name: 'Farm' },
    { id: 'v2', name: 'Barn' },
  ],
  items: [
    { id: 'db', title: 'Main DB', vault: 'v1' },
    { id: 'db2', title: 'main db', vault: 'v1' },
    { id: 'closed', title: 'Closed', vault: 'v2' },
  ],
  fields: {
    db: [
      field('password', { label: 'password', purpose: 'PASSWORD', type: 'CONCEALED' }),
      field('user', { label: 'username' }),
      field('k', { label: 'API key' }),
      field('empty', { label: 'token', value: '' }),
    ],
    db2: [field('password', { label: 'password', type: 'CONCEALED' })],
  },
}

test('vault-b is read with the token of a service account', async () => {
  await clients.setB(farm)
  expect(await post('vault-b/connect', { token: 'wrong-token' })).toMatchObject({
    status: 400,
    body: { code: 'vault_token_invalid' },
  })
  expect((await post('vault-b/connect', { token })).body).toMatchObject({
    success: true,
    vaultCount: 2,
  })
  expect((await ask('GET /api/secrets/vault-b/status')).body['connected']).toBe(true)
  expect((await ask('GET /api/secrets/vault-b/vaults')).body['count']).toBe(2)
  expect((await run('op://Farm/db/password'))['status']).toBe('completed')
  expect((await run('vault-b://Farm/none/password'))['status']).toBe('failed')
})

test('an import names fields, renames collisions and skips what exists', async () => {
  expect((await post('vault-b/import', { vaults: ['None'] })).body['code']).toBe('vault_unknown')
  const { body } = await post('vault-b/import', { vaults: ['Farm'], prefix: 'OPS' })

  expect(body).toMatchObject({
    success: true,
    vaultsScanned: 1,
    itemsScanned: 2,
    importedCount: 3,
    imported: [
      { secretName: 'OPS_FARM_MAIN_DB_PASSWORD', renamed: false },
      { secretName: 'OPS_FARM_MAIN_DB_API_KEY' },
      { secretName: 'OPS_FARM_MAIN_DB_PASSWORD_2', renamed: true },
    ],
  })
  const again = await post('vault-b/import', { prefix: 'OPS' })
  expect(again.body).toMatchObject({
    success: false,
    importedCount: 0,
    skippedCount: 3,
    errorCount: 1,
    errors: [{ itemId: 'closed', error: expect.stringContaining('no access') }],
  })
  expect((await ask('DELETE /api/secrets/vault-b/connect')).body['existed']).toBe(true)
})

test('no reply, argument, file or log contains a value, a session or a token', async () => {
  const args = await readFile(join(folder, 'arguments'), 'utf8')

  await expectNoLeak(service, [session, token, value], [...replies, args])
})
