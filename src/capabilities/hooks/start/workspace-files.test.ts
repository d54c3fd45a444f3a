import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { defaultFiles, readIdentity } from './workspace-files.ts'

test('each file has its heading, maximum length and order', async () => {
  const folder = await temporaryFolder()
  const files = [...defaultFiles, 'STYLE.md']
  for (const name of files) await writeFile(join(folder, name), `${'x'.repeat(20_000)}`)

  const { parts } = await readIdentity(folder, { files: [...files, 'NONE.md'] })

  expect(
    parts.map((part) => part.split('\n\n').map((text) => (/^#/.test(text) ? text : text.length))),
  ).toEqual([
    ['## Agent Instructions', 12_000],
    ['## Soul', 4_000],
    ['## Identity', 2_000],
    ['## About Your User', 6_000],
    ['## STYLE', 4_000],
  ])
})

test('reads the identity from its file, the settings or the default', async () => {
  const folder = await temporaryFolder()
  const read = async (fallback?: string) =>
    (await readIdentity(folder, { files: [], fallback })).identity

  expect(await read()).toEqual({ name: 'Agent' })
  expect(await read('Hal')).toEqual({ name: 'Hal' })
  await writeFile(join(folder, 'IDENTITY.md'), 'Name: Ada\n- **Description**: keeps the hens\n')
  expect(await read('Hal')).toEqual({ name: 'Ada', description: 'keeps the hens' })
})

test('an unreadable file is omitted with a warning', async () => {
  const folder = await temporaryFolder()
  execFileSync('mkfifo', [join(folder, 'IDENTITY.md')])
  await mkdir(join(folder, 'SOUL.md'))
  await writeFile(join(folder, 'USER.md'), 'Maud.')

  expect(await readIdentity(folder, { files: defaultFiles })).toEqual({
    identity: { name: 'Agent' },
    parts: ['## About Your User\n\nMaud.'],
    problems: ['IDENTITY.md cannot be read (EISDIR).', 'SOUL.md cannot be read (EISDIR).'],
  })
})
