import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { makeFolder } from './make-folder.ts'

test('a folder is made with those above it, once, for the owner alone', async () => {
  const folder = join(await temporaryFolder(), 'a', 'b', 'c')

  await makeFolder(folder)
  await makeFolder(folder)

  const { mode } = await stat(folder)
  expect(mode & 0o777).toBe(0o700)
})

test('where none can be made it says so', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')

  await expect(makeFolder(join(file, 'a'))).rejects.toThrow('ENOTDIR')
  await expect(makeFolder('/proc/none/such')).rejects.toThrow('ENOENT')
})
