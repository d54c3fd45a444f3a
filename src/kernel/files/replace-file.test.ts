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

test('replaces a file with owner-only mode and leaves no temporary file', async () => {
  const folder = await makeFolder()
  const file = join(folder, 'settings')
  await writeFile(file, 'old')

  await replaceFile(file, 'new')

  expect(await readFile(file, 'utf8')).toBe('new')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['settings'])
})

test('a failed replacement keeps the file and leaves no temporary file', async () => {
  const folder = await makeFolder()
  await mkdir(join(folder, 'taken', 'inside'), { recursive: true })

  await expect(replaceFile(join(folder, 'taken'), 'text')).rejects.toThrow(/EISDIR|ENOTEMPTY/)

  expect(await readdir(folder)).toEqual(['taken'])
})
