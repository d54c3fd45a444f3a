import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as files from './optional-files.ts'

test('a missing file has no content, size or handle', async () => {
  const folder = await createFolder()
  const missing = join(folder, 'missing')

  expect(await files.readIfExists(missing)).toBeUndefined()
  expect(await files.openIfExists(missing)).toBeUndefined()
  expect(await files.sizeOf(missing)).toBe(0)
  expect(await files.exists(missing)).toBe(false)
  expect(await files.exists(join(await createFile(folder), 'below'))).toBe(false)
  expect(await files.isFolder(missing)).toBe(false)
  await expect(files.renameIfExists(missing, join(folder, 'other'))).resolves.toBeUndefined()
})

test('an existing file is read, measured and renamed', async () => {
  const folder = await createFolder()
  const file = await createFile(folder)
  const other = join(folder, 'other')

  expect(await files.readIfExists(file)).toBe('text')
  expect(await files.sizeOf(file)).toBe(4)
  expect([await files.isFolder(folder), await files.isFolder(file)]).toEqual([true, false])
  await files.renameIfExists(file, other)
  await symlink(file, join(folder, 'dangling'))
  expect([await files.exists(file), await files.exists(other)]).toEqual([false, true])
  expect(await files.exists(join(folder, 'dangling'))).toBe(true)
})

test('a problem other than a missing file is thrown', async () => {
  await expect(files.readIfExists(await createFolder())).rejects.toThrow('EISDIR')
})

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'optional-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function createFile(folder: string): Promise<string> {
  const file = join(folder, 'file')
  await writeFile(file, 'text')
  return file
}
