import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { makeFolder } from './folders.ts'

test('creates a folder and its parents once, readable only by the owner', async () => {
  const folder = join(await temporaryFolder(), 'a', 'b', 'c')

  await makeFolder(folder)
  await makeFolder(folder)

  const { mode } = await stat(folder)
  expect(mode & 0o777).toBe(0o700)
})

test('throws when the folder cannot be created', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')

  await expect(makeFolder(join(file, 'a'))).rejects.toThrow('ENOTDIR')
  await expect(makeFolder('/proc/none/such')).rejects.toThrow('ENOENT')
})
