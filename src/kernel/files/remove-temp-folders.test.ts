import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { removeTempFolders } from './remove-temp-folders.ts'
import { replaceFile, replaceFileWith } from './replace-file.ts'

const before = new Date('2026-01-02')
const removal = { before, depth: 1 }

async function leave(folder: string, name: string, { touched = new Date('2026-01-01') } = {}) {
  const path = join(folder, name)
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'file'), 'half')
  await utimes(path, touched, touched)
  return path
}

test('removes leftovers of killed processes down to the given depth', async () => {
  const folder = await temporaryFolder()
  await leave(folder, '.next-aB3dE5')
  await leave(join(folder, 'within'), '.next-fG7hJ9')
  await leave(join(folder, 'within', 'deeper'), '.next-kL2mN4')

  await removeTempFolders(folder, removal)

  expect(await readdir(folder)).toEqual(['within'])
  expect(await readdir(join(folder, 'within'))).toEqual(['deeper'])
  expect(await readdir(join(folder, 'within', 'deeper'))).toEqual(['.next-kL2mN4'])
})

test('retains new folders, folders with other files and folders behind a link', async () => {
  const [folder, other] = [await temporaryFolder(), await temporaryFolder()]
  await leave(other, '.next-aB3dE5')
  await symlink(other, join(folder, 'link'))
  await leave(folder, '.next-fG7hJ9', { touched: before })
  await leave(folder, '.next-notes')
  const full = await leave(folder, '.next-kL2mN4')
  await writeFile(join(full, 'notes'), 'mine')
  await utimes(full, new Date(0), new Date(0))

  await removeTempFolders(folder, removal)
  await removeTempFolders(join(folder, 'nowhere'), removal)

  expect(await readdir(other)).toEqual(['.next-aB3dE5'])
  expect((await readdir(folder)).toSorted()).toEqual([
    '.next-fG7hJ9',
    '.next-kL2mN4',
    '.next-notes',
    'link',
  ])
})

test('ignores folders that their writers remove meanwhile', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'settings')
  const writers = Array.from({ length: 300 }, (_, at) => replaceFile(file, String(at)))
  const removals = Array.from({ length: 100 }, () => removeTempFolders(folder, removal))

  await Promise.all([...writers, ...removals])

  expect(await readdir(folder)).toEqual(['settings'])
})

test.skipIf(process.getuid?.() === 0)('leaves out what it may not read', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'closed'), { mode: 0o000 })
  await leave(folder, '.next-aB3dE5')

  await removeTempFolders(folder, removal)

  expect(await readdir(folder)).toEqual(['closed'])
})

test('matches the folder names that `replaceFile` creates', async () => {
  const folder = await temporaryFolder()
  const soon = new Date('9999-01-01')

  const replaced = replaceFileWith(join(folder, 'settings'), () =>
    removeTempFolders(folder, { before: soon, depth: 0 }),
  )

  await expect(replaced).rejects.toMatchObject({ code: 'ENOENT' })
})
