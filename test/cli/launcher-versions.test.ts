import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'

/** A package of version 1.0.0 with other versions next to it; each prints its version. */
async function install(pointer: unknown, versions: readonly string[] = ['1.1.0']) {
  const root = await makeFolder()
  const launcher = await addPackage(root, '1.0.0')
  for (const version of versions) await addPackage(join(root, 'versions', version), version)
  const file = join(root, 'versions', 'active.json')
  await mkdir(join(root, 'versions'), { recursive: true })
  await writeFile(file, typeof pointer === 'string' ? pointer : JSON.stringify(pointer))
  const run = async (...args: readonly string[]) =>
    (await runReverie(args, { command: [process.execPath, launcher] })).stdout
  const startDaemon = async () => {
    const command = [process.execPath, '--max-semi-space-size=8', launcher]
    return (await runReverie(['start', '--foreground'], { command })).stdout
  }
  return { run, startDaemon, read: async () => JSON.parse(await readFile(file, 'utf8')) }
}

async function addPackage(root: string, version: string): Promise<string> {
  await mkdir(join(root, 'bin'), { recursive: true })
  await mkdir(join(root, 'dist'))
  for (const name of ['reverie', 'package.json'])
    await copyFile(join('bin', name), join(root, 'bin', name))
  await writeFile(join(root, 'package.json'), JSON.stringify({ version, type: 'module' }))
  await writeFile(join(root, 'dist', 'main.js'), `process.stdout.write('${version}')`)
  return join(root, 'bin', 'reverie')
}

const program = join('bin', 'reverie')
const good = { version: '1.1.0', program, state: 'good', starts: 0, previous: null }

test('the launcher runs the version that the pointer selects', async () => {
  expect(await (await install(good)).run('status')).toBe('1.1.0')
})

test.each([
  ['an older version', { ...good, version: '0.9.0' }],
  ['the same version', { ...good, version: '1.0.0' }],
  ['a prerelease of its own version', { ...good, version: '1.0.0-next.2' }],
  ['a version that is not there', { ...good, version: '1.2.0' }],
  ['a program outside', { ...good, program: '../../bin/reverie' }],
  ['no version', { ...good, version: null }],
  ['a text', '{"version":'],
])('with a pointer to %s, the launcher runs its own build', async (_, pointer) => {
  const { run } = await install(pointer, ['1.1.0', '0.9.0', '1.0.0', '1.0.0-next.2'])
  expect(await run('status')).toBe('1.0.0')
})

test.each([
  ['1.10.0', '1.10.0'],
  ['1.0.1-next.1', '1.0.1-next.1'],
  ['2.0.0-beta', '2.0.0-beta'],
])('%s is newer than 1.0.0', async (version, printed) => {
  const { run } = await install({ ...good, version }, [version])
  expect(await run('status')).toBe(printed)
})

test('a version on trial is given up at the third start of its daemon', async () => {
  const { run, startDaemon, read } = await install({ ...good, state: 'trial' })
  expect([await startDaemon(), await startDaemon()]).toEqual(['1.1.0', '1.1.0'])
  expect(await run('status')).toBe('1.1.0')
  expect((await read()).starts).toBe(2)
  expect(await startDaemon()).toBe('1.0.0')
  expect(await read()).toMatchObject({ version: null, state: 'good', rolledBack: '1.1.0' })
})

test('a version that has migrated and accepted writes is not given up', async () => {
  const pointer = { ...good, state: 'trial', starts: 9, migrated: true, opened: true }
  const { startDaemon } = await install(pointer)
  expect(await startDaemon()).toBe('1.1.0')
})
