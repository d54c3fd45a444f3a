import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createKey, createKeyFile, readKeyFile, renderKey, toKeyId } from './key.ts'
import { unwrapKey, wrapKey } from './wrap-key.ts'

test('a new key file is readable by its owner only and is never replaced', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'inner', 'key')
  const key = await createKeyFile(file)

  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toMatch(/^svc-key-v1:[\w+/]{43}=\n$/)
  expect(await readKeyFile(file)).toEqual({ key, keyId: toKeyId(key) })
  await expect(createKeyFile(file)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(await readKeyFile(file)).toEqual({ key, keyId: toKeyId(key) })
  expect(await readdir(join(folder, 'inner'))).toEqual(['key'])
})

test('a key that is missing, readable by others or malformed is not used', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'key')
  expect(await readKeyFile(file)).toEqual({ problem: 'missing' })
  for (const text of ['', 'svc-key-v1:short', `${renderKey(createKey())}more`]) {
    await writeFile(file, text, { mode: 0o600 })
    expect(await readKeyFile(file)).toEqual({ problem: 'invalid' })
  }
  await writeFile(file, renderKey(createKey()))
  for (const mode of [0o640, 0o604]) {
    await chmod(file, mode)
    expect(await readKeyFile(file)).toEqual({ problem: 'readable' })
  }
  await mkdir(join(folder, 'folder'), { mode: 0o700 })
  expect(await readKeyFile(join(folder, 'folder'))).toEqual({ problem: 'invalid' })
})

test('the id of a key is stable and does not contain the key', () => {
  const key = Buffer.alloc(32, 7)

  expect(toKeyId(key)).toBe(toKeyId(Buffer.alloc(32, 7)))
  expect(toKeyId(key)).toMatch(/^[0-9a-f]{16}$/)
  expect(toKeyId(key)).not.toBe(toKeyId(Buffer.alloc(32, 8)))
})

test('an exported key opens with its passphrase only', async () => {
  const key = createKey()
  const text = await wrapKey(key, 'correct horse')

  expect(text).not.toContain(key.toString('base64'))
  expect(await unwrapKey(text, 'correct horse')).toEqual(key)
  expect(await unwrapKey(text, 'wrong horse')).toBeUndefined()
  const foreign = text.replace(toKeyId(key), toKeyId(createKey()))
  expect(await unwrapKey(foreign, 'correct horse')).toBeUndefined()
  for (const other of ['', '{}', '[]', 'null', renderKey(key)])
    await expect(unwrapKey(other, 'x')).rejects.toThrow('not an exported key')
})
