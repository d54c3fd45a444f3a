import { chmod, copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createKey, createKeyFile, renderKey } from '../../../kernel/encryption/key.ts'
import { createCredentialStore } from '../credential-store.ts'
import { createTestStore } from '../secrets.fixture.ts'
import { readStatus } from '../status.ts'
import type { createLocalStore } from './local-store.ts'
import { toNextKey } from './rotation.ts'

const locked = expect.objectContaining({ kind: 'unavailable', code: 'secrets_locked' })
const value = ['synthetic', 'value', '1'].join('-')

function createTestCredentials(store: ReturnType<typeof createLocalStore>) {
  const resolve = (reference: string) => store.read(reference.replace('local://', ''))
  return createCredentialStore(store, { resolve })
}

test('a value is stored, replaced and deleted, and its creation time stays', async () => {
  const { store, read } = await createTestStore()
  expect(await readStatus(store)).toMatchObject({ state: 'empty', keyId: null })
  await store.put('B_KEY', value)
  await store.put('A_KEY', 'other')
  const before = JSON.parse(await read()).secrets['B_KEY']
  await store.put('B_KEY', 'replaced')
  const after = JSON.parse(await read()).secrets['B_KEY']

  expect(await store.listNames()).toEqual(['A_KEY', 'B_KEY'])
  expect(await store.read('B_KEY')).toBe('replaced')
  expect(after.created).toBe(before.created)
  expect(await store.delete('B_KEY')).toBe(true)
  expect(await store.delete('B_KEY')).toBe(false)
  expect(await store.read('B_KEY')).toBeUndefined()
  expect(await readStatus(store)).toMatchObject({ state: 'ready', secrets: 1, unreadable: 0 })
})

test('both files are readable by their owner only, and no value is in them', async () => {
  const { store, folder, read } = await createTestStore()
  await store.put('KEY', value)

  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  for (const name of ['key', 'secrets.enc'])
    expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600)
  expect(await readdir(folder)).toEqual(['key', 'secrets.enc'])
  const text = await read()
  for (const form of [value, Buffer.from(value).toString('base64'), 'synthetic'])
    expect(text).not.toContain(form)
  expect(JSON.parse(text)).toMatchObject({ version: 2, internal: {} })
})

test('writes at the same time lose nothing', async () => {
  const { create, store } = await createTestStore()
  const names = Array.from({ length: 12 }, (_, index) => `KEY_${index}`)
  await Promise.all(names.map((name) => store.put(name, `value of ${name}`)))

  for (const name of names) expect(await create().read(name)).toBe(`value of ${name}`)
})

test.each([
  ['missing', (key: string) => rm(key)],
  ['replaced by another one', (key: string) => rm(key).then(() => createKeyFile(key))],
  ['readable by others', (key: string) => chmod(key, 0o644)],
  ['damaged', (key: string) => writeFile(key, 'svc-key-v1:')],
])('with a key that is %s the store is locked and its file unchanged', async (_, spoil) => {
  const { store, keyFile, folder, read } = await createTestStore()
  await store.put('KEY', value)
  await copyFile(keyFile, join(folder, 'saved'))
  const before = await read()
  await spoil(keyFile)

  expect(await store.listNames()).toEqual(['KEY'])
  expect(await readStatus(store)).toMatchObject({ state: 'locked', secrets: 1 })
  const calls = [
    () => store.read('KEY'),
    () => store.put('OTHER', value),
    () => store.delete('KEY'),
    () => store.internal.read('LOGIN'),
    () => store.internal.write('LOGIN', value),
    () => store.rotate(),
  ]
  for (const call of calls) await expect(call()).rejects.toEqual(locked)
  expect(await read()).toBe(before)
  await rename(join(folder, 'saved'), keyFile)
  expect(await store.read('KEY')).toBe(value)
})

test.each([
  ['not JSON', 'half a fi'],
  ['of another version', JSON.stringify({ version: 1, secrets: { KEY: {} } })],
  ['without its parts', '[]'],
])('a file that is %s locks the store and is not overwritten', async (_, text) => {
  const { store, file, read } = await createTestStore()
  await store.put('KEY', value)
  await writeFile(file, text)

  for (const call of [() => store.put('KEY', value), () => store.read('KEY'), () => store.rotate()])
    await expect(call()).rejects.toEqual(locked)
  await store.recover()
  expect(await read()).toBe(text)
})

test('an altered, renamed, swapped or malformed entry fails alone and is retained', async () => {
  const { store, file, read } = await createTestStore()
  for (const name of ['A', 'B', 'C', 'D', 'GOOD']) await store.put(name, `value of ${name}`)
  const document = JSON.parse(await read())
  const { A, B, C } = document.secrets
  const sealed = Buffer.from(C.ciphertext, 'base64')
  sealed[40] = (sealed[40] ?? 0) ^ 1
  Object.assign(document.secrets, {
    A: B,
    B: A,
    C: { ...C, ciphertext: sealed.toString('base64') },
  })
  document.secrets.D.updated = '2020-01-01T00:00:00.000Z'
  document.secrets.E = 5
  await writeFile(file, JSON.stringify(document))

  for (const name of ['A', 'B', 'C', 'D', 'E'])
    await expect(store.read(name)).rejects.toMatchObject({ code: 'secret_unreadable' })
  expect(await store.read('GOOD')).toBe('value of GOOD')
  expect(await readStatus(store)).toMatchObject({ state: 'ready', unreadable: 5 })
  await expect(store.rotate()).rejects.toMatchObject({ kind: 'conflict', code: 'rotation_blocked' })
  await store.put('NEW', value)
  expect(JSON.parse(await read()).secrets).toMatchObject(document.secrets)
})

test('at most 1,000 secrets are stored', async () => {
  const { store, file, read } = await createTestStore()
  await store.put('FIRST', value)
  const document = JSON.parse(await read())
  for (let index = 1; index < 1_000; index++) document.secrets[`K${index}`] = { any: index }
  await writeFile(file, JSON.stringify(document))

  await expect(store.put('ONE_MORE', value)).rejects.toMatchObject({ code: 'secret_store_full' })
  await store.put('FIRST', 'replaced')
  expect(await store.read('FIRST')).toBe('replaced')
})

test('names of the prototype are ordinary names', async () => {
  const { store } = await createTestStore()
  expect(await store.read('__proto__')).toBeUndefined()
  expect(await store.read('constructor')).toBeUndefined()
  await store.put('__proto__', value)

  expect(await store.read('__proto__')).toBe(value)
  expect(await store.listNames()).toEqual(['__proto__'])
})

test('references resolve stored values, but neither internal values nor reserved names', async () => {
  const { store } = await createTestStore()
  await store.put('KEY', value)
  await store.internal.write('LOGIN', 'internal value')
  const { resolve, internal } = createTestCredentials(store)

  for (const reference of ['KEY', '$secret:KEY', 'local://KEY'])
    expect(await resolve(reference)).toBe(value)
  for (const reference of ['LOGIN', '$secret:LOGIN', 'SVC_OAUTH_1', 'exec', '$env:KEY', 'a-b', ''])
    expect(await resolve(reference)).toBeUndefined()
  expect(await store.listNames()).toEqual(['KEY'])
  expect(await internal.write('LOGIN', 'second', 'first')).toBe(false)
  expect(await internal.write('LOGIN', 'second', 'internal value')).toBe(true)
  expect(await internal.read('LOGIN')).toBe('second')
  expect([await internal.delete('LOGIN'), await internal.delete('LOGIN')]).toEqual([true, false])
})

test('a plain name that is not stored has no value even while the store is locked', async () => {
  const { store, keyFile } = await createTestStore()
  await store.put('KEY', value)
  await rm(keyFile)
  const { resolve } = createTestCredentials(store)

  expect(await resolve('OTHER')).toBeUndefined()
  await expect(resolve('KEY')).rejects.toEqual(locked)
})

test('a rotation seals every value with a new key', async () => {
  const { store, keyFile, folder, read } = await createTestStore()
  await store.put('KEY', value)
  await store.internal.write('LOGIN', 'internal value')
  const [before, key] = [JSON.parse(await read()), await readFile(keyFile, 'utf8')]
  const { keyId } = await store.rotate()
  const after = JSON.parse(await read())

  expect(after.keyId).toBe(keyId)
  expect(after.keyId).not.toBe(before.keyId)
  expect(await readFile(keyFile, 'utf8')).not.toBe(key)
  expect(after.secrets.KEY).toMatchObject({ created: before.secrets.KEY.created })
  expect([await store.read('KEY'), await store.internal.read('LOGIN')]).toEqual([
    value,
    'internal value',
  ])
  expect(await readdir(folder)).toEqual(['key', 'secrets.enc'])
})

test('a rotation that was interrupted at any step is completed or undone', async () => {
  const { store, keyFile, file, folder, create } = await createTestStore()
  await store.put('KEY', value)
  const old = { key: await readFile(keyFile), file: await readFile(file) }
  await store.rotate()
  const next = { key: await readFile(keyFile), file: await readFile(file) }
  const leave = async (left: typeof old, nextKey?: string | Buffer) => {
    await writeFile(keyFile, old.key, { mode: 0o600 })
    await writeFile(file, left.file)
    if (nextKey !== undefined) await writeFile(toNextKey(keyFile), nextKey, { mode: 0o600 })
  }
  const cases = [
    ['the next key was written', () => leave(old, next.key)],
    ['the next key was half written', () => leave(old, 'svc-key-v1:')],
    ['the entries were replaced', () => leave(next, next.key)],
    ['another next key was left', () => leave(old, renderKey(createKey()))],
  ] as const
  for (const [step, interrupt] of cases) {
    await interrupt()
    await create().recover()

    expect(await create().read('KEY'), step).toBe(value)
    expect(await readdir(folder), step).toEqual(['key', 'secrets.enc'])
    await create().rotate()
    expect(await create().read('KEY'), step).toBe(value)
  }
})

test('a rotation during writes loses none of them', async () => {
  const { store } = await createTestStore()
  await store.put('FIRST', value)
  const names = Array.from({ length: 8 }, (_, index) => `KEY_${index}`)
  await Promise.all(
    names.map((name, at) => (at % 4 === 0 ? store.rotate() : store.put(name, name))),
  )

  for (const [at, name] of names.entries())
    expect(await store.read(name)).toBe(at % 4 === 0 ? undefined : name)
})
