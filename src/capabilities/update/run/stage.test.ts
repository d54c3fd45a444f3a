import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realHost } from '../../../kernel/host/host.ts'
import { noChildLedger } from '../../../kernel/testing/no-child-ledger.ts'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { assertCloneReady, stageClone } from './stage-clone.ts'
import { stagePackage } from './stage-package.ts'

const { signal } = new AbortController()

/** Programs on a PATH of their own, which write their arguments to `calls`. */
async function fakePrograms(scripts: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  const calls = join(folder, 'calls')
  for (const [name, script] of Object.entries(scripts)) {
    const lines = ['#!/bin/sh', `echo "${name} $*" >> ${calls}`, script, '']
    await writeFile(join(folder, name), lines.join('\n'))
    await chmod(join(folder, name), 0o755)
  }
  const variables = () => ({ PATH: `${folder}:/usr/bin:/bin`, HOME: folder, SECRET_KEY: 'hidden' })
  const needs = { host: realHost, children: noChildLedger, pass: () => [], variables }
  return { needs, listCalls: async () => (await readFile(calls, 'utf8')).trim().split('\n') }
}

/** A package as a registry serves it. */
async function packageFile(version: string) {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'package', 'bin'), { recursive: true })
  await writeFile(
    join(folder, 'package', 'package.json'),
    JSON.stringify({ name: 'reverie', version }),
  )
  await writeFile(join(folder, 'package', 'bin', 'reverie'), '')
  const file = join(folder, 'reverie.tgz')
  execFileSync('tar', ['czf', file, '-C', folder, 'package'])
  return file
}

const unpack = (file: string) =>
  `test -z "$SECRET_KEY" || exit 9
   mkdir -p node_modules/reverie && tar xzf ${file} --strip-components=1 -C node_modules/reverie`

test.each([
  [
    'npm',
    (folder: string, file: string) =>
      `npm install --prefix ${folder} --ignore-scripts=false --no-audit --no-fund --no-update-notifier ${file}`,
  ],
  ['pnpm', (folder: string, file: string) => `pnpm --dir ${folder} add --ignore-workspace ${file}`],
  [
    'yarn',
    (folder: string, file: string) => `yarn --cwd ${folder} add --non-interactive file:${file}`,
  ],
  ['bun', (folder: string, file: string) => `bun add --cwd ${folder} ${file}`],
] as const)('%s installs the downloaded file into a folder of its own', async (method, toCall) => {
  const [folder, file] = [await temporaryFolder(), await packageFile('2.0.0')]
  const { needs, listCalls } = await fakePrograms({ [method]: unpack(file) })
  const request = { version: '2.0.0', folder, file, name: 'reverie', signal }
  const { program } = await stagePackage(needs, { method }, request)

  expect(program).toBe(join('node_modules', 'reverie', 'bin', 'reverie'))
  expect(await listCalls()).toEqual([toCall(folder, file)])
  // Without these lists, pnpm and bun skip the script that fetches the native module.
  expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).toEqual({
    private: true,
    pnpm: { onlyBuiltDependencies: ['better-sqlite3'] },
    trustedDependencies: ['better-sqlite3'],
  })
  await expect(
    stagePackage(needs, { method }, { ...request, version: '3.0.0' }),
  ).rejects.toMatchObject({ code: 'verification_failed' })
})

test('a missing or failing package manager is named with its output', async () => {
  const [folder, file] = [await temporaryFolder(), await packageFile('2.0.0')]
  const request = { version: '2.0.0', folder, file, name: 'reverie', signal }
  const { needs } = await fakePrograms({ bun: 'printf "\\033[31mno space\\033[39m" >&2; exit 1' })

  await expect(stagePackage(needs, { method: 'pnpm' }, request)).rejects.toMatchObject({
    code: 'install_failed',
    message: 'pnpm is not on the PATH of the daemon.',
  })
  await expect(stagePackage(needs, { method: 'bun' }, request)).rejects.toMatchObject({
    code: 'install_failed',
    output: 'no space',
  })
})

test('a clone builds the tag of its origin next to the running version', async () => {
  const { needs, listCalls } = await fakePrograms({ npm: 'exit 0' })
  const [origin, home] = [await temporaryFolder(), await temporaryFolder()]
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      cwd,
      env: { PATH: '/usr/bin:/bin', HOME: home },
      stdio: 'ignore',
    })
  git(origin, 'init', '-b', 'main')
  await mkdir(join(origin, 'bin'))
  await writeFile(join(origin, 'bin', 'reverie'), 'old')
  git(origin, 'add', '.')
  git(origin, 'commit', '-m', 'one')
  const root = join(home, 'clone')
  git(home, 'clone', origin, root)
  await writeFile(join(origin, 'bin', 'reverie'), 'new')
  git(origin, 'commit', '-am', 'two')
  git(origin, 'tag', 'v2.0.0')
  const folder = join(home, 'staged')
  const clone = { root, version: '2.0.0', folder, signal }

  await assertCloneReady(needs, clone)
  expect(await stageClone(needs, clone)).toMatchObject({ program: join('bin', 'reverie') })
  expect(await readFile(join(folder, 'bin', 'reverie'), 'utf8')).toBe('new')
  expect(await readFile(join(root, 'bin', 'reverie'), 'utf8')).toBe('old')
  expect(await listCalls()).toEqual(['npm ci --no-audit --no-fund', 'npm run build'])

  const byHand = /git pull && npm ci/
  const unsupported = { code: 'unsupported_installation', message: expect.stringMatching(byHand) }
  await expect(assertCloneReady(needs, { ...clone, version: '9.0.0' })).rejects.toMatchObject(
    unsupported,
  )
  await writeFile(join(root, 'bin', 'reverie'), 'changed')
  await expect(assertCloneReady(needs, clone)).rejects.toMatchObject(unsupported)
})
