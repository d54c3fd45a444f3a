import { lstat, mkdir, readdir, readlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { reverieOf, runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({
  mode: 'local',
  engine: 'sqlite',
  config: { skills: { registryUrl: '' } },
})
afterAll(() => service.stop())
const source = resolve('examples/skill-dig')

async function startHome() {
  const home = await makeFolder()
  const env = { ...reverieOf(service, 'admin').env, SVC_PATH: service.workspace, HOME: home }
  const run = (...args: readonly string[]) => runReverie(['skill', ...args], { env })
  return { home, run }
}

test('a skill is installed, linked into the folders of harnesses, and removed with its links', async () => {
  const { home, run } = await startHome()
  expect((await run('list')).stdout).toContain('No skill is installed')
  expect((await run('install', 'dig', '--source', source)).stdout).toContain('Installed dig')
  expect((await run('list')).stdout).toContain('dig')
  expect((await run('show', 'dig')).stdout).toContain('# Dig')
  expect((await run('search', 'hole')).stdout).toContain('dig')

  const folder = join(service.workspace, 'skills', 'dig')
  const links = [join(home, '.claude/skills/dig'), join(home, '.agents/skills/dig')]
  expect((await run('link', 'dig', '--harness', 'claude-code')).stdout).toContain('linked')
  expect((await run('link', 'dig', '--harness', 'claude-code')).stdout).toContain('unchanged')
  expect((await run('link', 'dig', '--harness', 'codex')).code).toBe(0)
  for (const link of links) expect(await readlink(link)).toMatch(new RegExp(`^${folder}/?$`))
  expect((await run('unlink', 'dig', '--harness', 'codex')).stdout).toContain('Removed')
  expect((await run('unlink', 'dig', '--harness', 'codex')).stdout).toContain('no link')

  expect((await run('uninstall', 'dig')).code).not.toBe(0)
  expect((await run('uninstall', 'dig', '--yes')).stdout).toContain('Removed dig and 1 link')
  for (const name of ['.claude/skills', '.agents/skills'])
    expect(await readdir(join(home, name))).toEqual([])
})

test('a source that begins with a dot is relative to the folder of the terminal', async () => {
  const { run } = await startHome()
  const { stdout } = await run('install', 'dig', '--source', './examples/skill-dig')
  expect(stdout).toContain('Installed dig')
  expect((await run('uninstall', 'dig', '--yes')).code).toBe(0)
})

test('what is no link of Reverie stays', async () => {
  const { home, run } = await startHome()
  await run('install', 'dig', '--source', source)
  const own = join(home, '.claude/skills/dig')
  await mkdir(own, { recursive: true })

  const { code, stderr } = await run('link', 'dig', '--harness', 'claude-code')
  expect([code, stderr]).toEqual([6, expect.stringContaining('is no link of Reverie')])
  await run('unlink', 'dig', '--harness', 'claude-code')
  await run('uninstall', 'dig', '--yes')
  expect((await lstat(own)).isDirectory()).toBe(true)
})

test('a refused package and an unknown skill are reported', async () => {
  const { run } = await startHome()
  const refused = await run('install', 'fill', '--source', source)

  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain("its name is not 'fill'")
  expect((await run('show', 'none')).code).toBe(4)
  const nameless = await run('install', source)
  expect([nameless.code, nameless.stderr]).toEqual([2, expect.stringContaining('--source')])
  expect((await run('analytics')).stdout).toContain('No use of a skill is recorded')
})
