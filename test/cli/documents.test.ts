import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({ mode: 'local', engine: 'sqlite' })
afterAll(() => service.stop())
const env = { SVC_URL: service.url, SVC_PATH: service.workspace }

test('a connector is added, synced in full and deleted with its documents', async () => {
  const folder = join(await makeFolder(), 'papers')
  await mkdir(folder)
  await writeFile(join(folder, 'a.md'), 'The alder grows at the weir.')
  await writeFile(join(folder, 'b.rst'), 'The hazel grows at the mill.')
  const run = async (...args: readonly string[]) => {
    const { stdout, code } = await runReverie([...args, '--json'], { env })
    expect(code, args.join(' ')).toBe(0)
    return JSON.parse(stdout)
  }

  const added = await run('connector', 'add', folder, '--glob', '**/*.md', '**/*.rst')
  expect(added).toMatchObject({ status: 'idle', documentCount: 2, lastError: null })
  expect(await run('connectors')).toMatchObject({ count: 1, connectors: [{ id: added.id }] })

  await rm(join(folder, 'b.rst'))
  const prefix = added.id.slice(0, 13)
  expect(await run('connector', 'sync', prefix)).toMatchObject({ documentCount: 2 })
  expect(await run('connector', 'sync', prefix, '--full')).toMatchObject({ documentCount: 1 })
  expect(await run('connector', 'delete', prefix, '--cascade', '--yes')).toEqual({ deleted: true })
  expect(await run('documents')).toMatchObject({ total: 0 })
})

test.each([
  ['/no/such/file.pdf', '/no/such/file.pdf does not exist', 'Check the path'],
  ['.', '. is a folder', 'reverie connector add FOLDER'],
])('document add %s names the file and the remedy', async (path, error, hint) => {
  const { stderr, code } = await runReverie(['document', 'add', path, '--json'], { env })

  expect(code).toBe(2)
  expect(JSON.parse(stderr)).toEqual({
    code: 'unreadable',
    error,
    hint: expect.stringContaining(hint),
  })
})
