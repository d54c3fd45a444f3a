import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { findProgram } from './find-program.ts'

async function install(folder: string, name = 'tool', mode = 0o755): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, name)
  await writeFile(file, '#!/bin/sh\n', { mode })
  return file
}

test('the first folder of PATH with the program is used', async () => {
  const folder = await temporaryFolder()
  const [first, second] = [join(folder, 'a'), join(folder, 'b')]
  const last = await install(second)
  const PATH = `${first}:${second}`

  expect(await findProgram('tool', { PATH })).toBe(last)
  const earlier = await install(first)
  expect(await findProgram('tool', { PATH })).toBe(earlier)
})

test.each(['.local/bin', 'bin', '.npm-global/bin', '.bun/bin'])(
  'a program in ~/%s is found without PATH',
  async (folder) => {
    const HOME = await temporaryFolder()
    const file = await install(join(HOME, folder))

    expect(await findProgram('tool', { HOME })).toBe(file)
  },
)

test('an absolute path is used if it is a program', async () => {
  const file = await install(await temporaryFolder())

  expect(await findProgram(file, {})).toBe(file)
  expect(await findProgram(`${file}-absent`, {})).toBeUndefined()
})

test('a link to a program is a program', async () => {
  const folder = await temporaryFolder()
  await symlink(await install(folder, 'real'), join(folder, 'tool'))

  expect(await findProgram('tool', { PATH: folder })).toBe(join(folder, 'tool'))
})

test('folders and files that cannot be executed are no programs', async () => {
  const folder = await temporaryFolder()
  await install(folder, 'text', 0o644)
  await mkdir(join(folder, 'folder'))

  for (const name of ['text', 'folder', 'absent'])
    expect(await findProgram(name, { PATH: folder })).toBeUndefined()
})

test('the working directory is never searched', async () => {
  const folder = await temporaryFolder()
  const file = await install(folder)
  const PATH = `:.:${relative(process.cwd(), folder)}`

  expect(await findProgram('tool', { PATH })).toBeUndefined()
  expect(await findProgram(relative(process.cwd(), file), { PATH })).toBeUndefined()
})

test('a name cannot leave the folders', async () => {
  const folder = await temporaryFolder()
  await install(folder)
  const PATH = join(folder, 'inner')
  await mkdir(PATH)

  const names = [
    '../tool',
    `../../${basename(dirname(folder))}/tool`,
    '..',
    '.',
    '',
    'to\0ol',
    'a b',
  ]
  for (const name of names) expect(await findProgram(name, { PATH })).toBeUndefined()
})
