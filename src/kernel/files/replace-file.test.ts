import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replaceFile } from './replace-file.ts'

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a file is replaced, for its owner alone, and nothing is left beside it', async () => {
  const folder = await makeFolder()
  const file = join(folder, 'settings')
  await writeFile(file, 'old')

  await replaceFile(file, 'new')

  expect(await readFile(file, 'utf8')).toBe('new')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['settings'])
})

test('what cannot be replaced stays, and nothing is left beside it', async () => {
  const folder = await makeFolder()
  await mkdir(join(folder, 'taken', 'inside'), { recursive: true })

  await expect(replaceFile(join(folder, 'taken'), 'text')).rejects.toThrow(/EISDIR|ENOTEMPTY/)

  expect(await readdir(folder)).toEqual(['taken'])
})
