import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeVaultClients } from '../../../../test/support/vault-clients.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { noChildLedger } from '../../../kernel/testing/no-child-ledger.ts'
import { createTestStore } from '../secrets.fixture.ts'
import { createBitwarden } from './bitwarden/bitwarden.ts'
import * as vaultA from './bitwarden/connection.ts'
import * as managed from './bitwarden/managed.ts'
import * as vaultB from './onepassword/connection.ts'
import { createOnePassword } from './onepassword/onepassword.ts'
import { createProvider } from './provider.ts'
import { createVaultClient } from './vault-client.ts'

type Values = Readonly<Record<string, string>>

/** What every vault offers; vault-b is read only. */
interface Vault {
  list(): Promise<readonly string[]>
  read(name: string): Promise<string | undefined>
  write?(name: string, value: string): Promise<unknown>
  remove?(name: string): Promise<boolean>
  /** Stores values as another program does. */
  fill(values: Values): Promise<unknown>
  /** Makes every further call fail. */
  fail?(): Promise<unknown>
}

const session = ['session', 'Fir/Pine+Yew~', '3311'].join('-')
const token = ['token', 'Ash/Oak+Elm~', '7722'].join('-')

async function createParts() {
  const { folder, store } = await createTestStore()
  const clients = await makeVaultClients(join(folder, 'bin'))
  const client = createClients(folder, clients.path)
  const needs = {
    store,
    bitwarden: createBitwarden(client('bw')),
    onePassword: createOnePassword(client('op')),
  }
  return { ...needs, clients, needs, provider: createProvider(needs) }
}

function createClients(folder: string, path: string) {
  const variables = () => ({ PATH: path, HOME: folder })
  const options = { host: realHost, children: noChildLedger, variables, pass: () => [], folder }
  return (program: string) => createVaultClient(options, program)
}

async function createLocal(): Promise<Vault> {
  const { provider, store } = await createParts()
  return {
    list: store.listNames,
    read: (name) => provider.resolve(`local://${name}`),
    write: store.put,
    remove: store.delete,
    fill: async (values) => {
      for (const [name, value] of Object.entries(values)) await store.put(name, value)
    },
  }
}

async function createVaultA(): Promise<Vault> {
  const { clients, needs, provider } = await createParts()
  await clients.setA({ session })
  await vaultA.connect(needs, { session, activate: true, folderId: undefined })
  const toItem = ([name, password]: readonly [string, string]) => {
    const login = { username: 'svc', password }
    return { id: `id-${name}`, name, type: 1, folderId: null, login }
  }
  return {
    list: () => managed.listManagedNames(needs),
    read: (name) => provider.resolve(`vault-a://name/${name}`),
    write: (name, value) => managed.writeManaged(needs, { name, value }),
    remove: (name) => managed.removeManaged(needs, name),
    fill: (values) => clients.setA({ session, items: Object.entries(values).map(toItem) }),
    fail: () => clients.setA({ session, mode: 'broken' }),
  }
}

async function createVaultB(): Promise<Vault> {
  const { clients, needs, onePassword, provider } = await createParts()
  const vaults = [{ id: 'v1', name: 'Farm' }]
  await clients.setB({ token, vaults })
  await vaultB.connect(needs, token)
  return {
    list: async () => (await onePassword.listItems(token, 'v1')).map(({ title }) => title),
    read: (name) => provider.resolve(`op://Farm/${name}/password`),
    fill: (values) => {
      const entries = Object.entries(values)
      const items = entries.map(([name]) => ({ id: name, title: name, vault: 'v1' }))
      const fields = entries.map(([name, value]) => [name, [{ id: 'password', value }]])
      return clients.setB({ token, vaults, items, fields: Object.fromEntries(fields) })
    },
    fail: () => clients.setB({ token, mode: 'broken' }),
  }
}

async function createInMemory(): Promise<Vault> {
  const values = new Map<string, string>()
  return {
    list: async () => [...values.keys()],
    read: async (name) => values.get(name),
    write: async (name, value) => values.set(name, value),
    remove: async (name) => values.delete(name),
    fill: async (added) => {
      for (const [name, value] of Object.entries(added)) values.set(name, value)
    },
  }
}

const odd = ['synthetic "quoted" \\ value', 'with $(echo) and Größe 🌿', ' '].join('\n')

describe.each([
  ['the local store', createLocal],
  ['vault-a', createVaultA],
  ['vault-b', createVaultB],
  ['a vault in memory', createInMemory],
] as const)('%s', (_, create) => {
  test('lists names and reads values exactly, also those of other programs', async () => {
    const vault = await create()
    await vault.fill({ ELM: 'synthetic-elm', ELM_2: odd })

    expect((await vault.list()).toSorted()).toEqual(['ELM', 'ELM_2'])
    expect(await vault.read('ELM')).toBe('synthetic-elm')
    expect(await vault.read('ELM_2')).toBe(odd)
  })

  test('has no value for an absent name', async () => {
    const vault = await create()
    await vault.fill({ ELM_2: 'synthetic-elm' })

    expect(await vault.read('ELM').catch(() => undefined)).toBeUndefined()
  })

  test('stores, replaces and removes a value, if it can be written', async () => {
    const { list, read, remove, write } = await create()
    if (!write || !remove) return
    await write('OAK', odd)
    await write('OAK', `${odd}+`)
    expect(await read('OAK')).toBe(`${odd}+`)
    expect(await list()).toEqual(['OAK'])

    expect([await remove('OAK'), await remove('OAK')]).toEqual([true, false])
    expect(await read('OAK').catch(() => undefined)).toBeUndefined()
  })

  test('a failing client refuses without a credential', async () => {
    const vault = await create()
    if (!vault.fail) return
    await vault.fail()
    const error = await vault.read('ELM').catch((failure: unknown) => failure)

    expect(error).toMatchObject({ kind: 'unavailable', code: 'vault_failed' })
    expect(String(error)).not.toMatch(/Pine|Oak/)
  })
})

test.each(['2.17.9\n', '1.12.4', '2.18.0-beta.01', '2.18.0', '2.31.1\n'])(
  'the client of vault-b in version %j is used from 2.18 on',
  async (version) => {
    const { clients, needs, onePassword } = await createParts()
    await clients.setB({ token, vaults: [], version })
    const isOld = /^(1|2\.17)/.test(version)
    const connected = await vaultB.connect(needs, token).catch((error: unknown) => error)
    if (!isOld) return expect(connected).toMatchObject({ success: true })
    expect(connected).toMatchObject({
      code: 'vault_client_outdated',
      message: expect.stringContaining(`has version ${version.trim()}, and vault-b needs 2.18.0`),
    })
    expect(await vaultB.readStatus(needs)).toMatchObject({ configured: false })

    await clients.setB({ token, vaults: [] })
    expect(await onePassword.listVaults(token)).toEqual([])
  },
)

test('a client of vault-b without a version is refused', async () => {
  const { clients, needs } = await createParts()
  await clients.setB({ token, version: 'a notice' })

  await expect(vaultB.connect(needs, token)).rejects.toMatchObject({
    code: 'vault_unavailable',
    message: expect.stringContaining('does not tell its version'),
  })
})
