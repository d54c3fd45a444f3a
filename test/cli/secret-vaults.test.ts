import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { removeFolder } from '../support/make-folder.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'
import { makeVaultClients } from '../support/vault-clients.ts'

const folder = await mkdtemp(join(tmpdir(), 'reverie-vaults-'))
const clients = await makeVaultClients(folder)
const service = await startService({
  mode: 'local',
  engine: 'sqlite',
  env: { PATH: clients.path },
})
afterAll(async () => {
  await service.stop()
  await removeFolder(folder)
})
const { run, outputs } = reverieOf(service, 'admin')
const session = ['session', 'Elm/Fir+Yew~', '4410'].join('-')
const token = ['token', 'Oak/Ash+Box~', '5521'].join('-')
const value = ['value', 'Bay/Hop+Rue~', '6632'].join('-')
const vaultA = (args: readonly string[], input = '') => run(['secret', 'vault-a', ...args], input)
const vaultB = (args: readonly string[], input = '') => run(['secret', 'vault-b', ...args], input)

test('vault-a is connected from stdin, used, and receives local secrets', async () => {
  await clients.setA({ session, folders: [{ id: 'f1', name: 'Agents' }] })
  expect((await vaultA(['connect'], 'wrong\n')).code).toBe(3)
  expect((await vaultA(['connect'], `${session}\n`)).stdout).toContain('is connected')
  expect((await vaultA(['folders'])).stdout).toContain('Agents')
  await run(['secret', 'put', 'MOSS_KEY'], value)

  expect((await vaultA(['migrate'])).stdout).toContain('1 would be copied')
  expect((await vaultA(['migrate', '--apply', '--delete-local'])).stdout).toContain('1 were copied')
  expect((await vaultA(['use', 'vault-a'])).stdout).toContain('stored in vault-a')
  expect((await run(['secret', 'list'])).stdout).toContain('MOSS_KEY')
  expect((await vaultA(['status'])).stdout).toContain('ann@example.com')
  expect((await vaultA(['disconnect'])).code).toBe(0)
  expect((await vaultA(['rest'])).code).toBe(2)
})

test('vault-b is connected from stdin and imported', async () => {
  await clients.setB({
    token,
    vaults: [{ id: 'v1', name: 'Farm' }],
    items: [{ id: 'db', title: 'DB', vault: 'v1' }],
    fields: { db: [{ id: 'p', label: 'password', type: 'CONCEALED', value }] },
  })
  expect((await vaultB(['vaults'])).code).toBe(3)
  expect((await vaultB(['connect'], token)).stdout).toContain('1 vaults')
  expect((await vaultB(['vaults'])).stdout).toContain('Farm')
  expect((await vaultB(['import', '--vault', 'Farm'])).stdout).toContain('VAULT_FARM_DB_PASSWORD')
  expect((await vaultB(['status'])).code).toBe(0)
  expect((await vaultB(['disconnect'])).code).toBe(0)
})

test('no output, argument of a client, file or log has a credential or a value', async () => {
  const args = await readFile(join(folder, 'arguments'), 'utf8')

  await expectNoLeak(service, [session, token, value], [...outputs, args])
})
