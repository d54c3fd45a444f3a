import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { assertWritable, findInstallation } from './installation.ts'
import { isLocked, withVersionsLock } from './lock.ts'

async function install(...path: readonly string[]): Promise<string> {
  const root = join(await temporaryFolder(), ...path)
  await mkdir(join(root, 'bin'), { recursive: true })
  await writeFile(join(root, 'bin', 'reverie'), '')
  await writeFile(join(root, 'package.json'), '{"name":"reverie"}')
  return root
}

test.each([
  ['npm', ['lib', 'node_modules', 'reverie']],
  ['pnpm', ['.pnpm', 'reverie@1.0.0', 'node_modules', 'reverie']],
  ['bun', ['.bun', 'install', 'global', 'node_modules', 'reverie']],
  ['yarn', ['.config', 'yarn', 'global', 'node_modules', 'reverie']],
] as const)('an installation of %s is recognised by its folder', async (method, path) => {
  const root = await install(...path)
  expect(await findInstallation(join(root, 'bin', 'reverie'))).toEqual({
    method,
    root,
    name: 'reverie',
    launcher: join(root, 'bin', 'reverie'),
  })
})

test('a clone is recognised, and a copy of files is not supported', async () => {
  const root = await install('reverie')
  const script = join(root, 'bin', 'reverie')
  await expect(findInstallation(script)).rejects.toMatchObject({ code: 'unsupported_installation' })
  await mkdir(join(root, '.git'))
  expect((await findInstallation(script)).method).toBe('git')
})

test.skipIf(process.getuid?.() === 0)(
  'a folder of another owner is refused with the command to run',
  async () => {
    const root = await install('node_modules', 'reverie')
    await chmod(root, 0o555)
    const installation = await findInstallation(join(root, 'bin', 'reverie'))
    await expect(assertWritable(installation, 'reverie@2.0.0')).rejects.toThrow(
      'sudo npm install -g reverie@2.0.0',
    )
  },
)

test('one update of an installation runs at a time, and the lock of a dead process is taken', async () => {
  const [host, root] = [fixedHost(), await install('node_modules', 'reverie')] as const
  await withVersionsLock(host, root, async () => {
    expect(await isLocked(host, root)).toBe(true)
    await expect(withVersionsLock(host, root, async () => 'second')).rejects.toMatchObject({
      code: 'update_in_progress',
    })
  })
  expect(await isLocked(host, root)).toBe(false)

  const file = join(root, 'versions', '.lock')
  for (const owner of [{ pid: 2 ** 22 + 1 }, { pid: process.pid, at: '2001-01-01T00:00:00Z' }]) {
    await writeFile(file, JSON.stringify({ at: host.now().toISOString(), ...owner }))
    expect(await withVersionsLock(host, root, async () => 'done')).toBe('done')
  }
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})
