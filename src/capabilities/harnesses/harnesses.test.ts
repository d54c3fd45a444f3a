import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createConnect } from './connect.ts'
import { listHarnesses } from './list.ts'
import type { HarnessesNeeds } from './needs.ts'
import { createRegenerate } from './regenerate.ts'

async function makeNeeds(script?: string) {
  const folder = await temporaryFolder()
  const home = await temporaryFolder()
  // The deadline never passes: it is aborted when the process ends.
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
  const needs: HarnessesNeeds = {
    host: { ...fixedHost(), sleep },
    children: noChildLedger,
    folder,
    home,
    codexHome: join(home, 'codex'),
    cli: { command: process.execPath, args: ['-e', cliScript], url: () => 'http://127.0.0.1:9' },
    variables: () => ({ PATH: '/usr/bin:/bin', SECRET: 'tea' }),
    lastSeen: async () => new Map([['codex', '2026-01-02T03:04:05.000Z']]),
  }
  const file = join(folder, 'scripts', 'generate-harness-configs.py')
  await mkdir(join(folder, 'scripts'))
  if (script !== undefined) await writeFile(file, script)
  return { needs, file, home }
}

test('each harness reports its main settings file, or the alternative', async () => {
  const { needs, home } = await makeNeeds()
  await mkdir(join(home, '.claude'))
  await mkdir(join(home, 'codex'))
  await writeFile(join(home, 'codex', 'config.toml'), '')
  const find = async (id: string) => (await listHarnesses(needs)).find((each) => each.id === id)
  const settings = join(home, '.claude', 'settings.json')

  expect(await find('claude-code')).toMatchObject({ path: settings, exists: false, lastSeen: null })
  await writeFile(join(home, '.claude', 'CLAUDE.md'), '')
  expect(await find('claude-code')).toMatchObject({
    name: 'Claude Code',
    path: join(home, '.claude', 'CLAUDE.md'),
    exists: true,
  })
  await writeFile(settings, '{}')
  expect(await find('claude-code')).toMatchObject({ path: settings, exists: true })
  expect(await find('codex')).toMatchObject({
    exists: true,
    lastSeen: '2026-01-02T03:04:05.000Z',
  })
  expect(await find('openclaw')).toMatchObject({ path: join(needs.folder, 'AGENTS.md') })
})

test('the script runs in the workspace, and its output is returned', async () => {
  const { needs } = await makeNeeds('import os; print(os.getcwd())')

  expect(await createRegenerate(needs)()).toEqual({
    success: true,
    message: expect.any(String),
    output: `${needs.folder}\n`,
  })
})

test('a failed script returns its error', async () => {
  const { needs } = await makeNeeds('import sys; sys.exit("no tea")')

  expect(await createRegenerate(needs)()).toEqual({
    success: false,
    error: expect.stringContaining('code 1: no tea'),
  })
})

test('a script that times out is terminated and reported', async () => {
  const { needs } = await makeNeeds('import time; time.sleep(60)')
  const waited: number[] = []
  const host = { ...needs.host, sleep: async (ms: number) => void waited.push(ms) }

  expect(await createRegenerate({ ...needs, host })()).toEqual({
    success: false,
    error: expect.stringContaining('the script exceeded 10 s'),
  })
  expect(waited).toContain(10_000)
})

test('a missing script or a link is rejected', async () => {
  const { needs, file } = await makeNeeds()
  const missing = { code: 'script_missing', details: { success: false } }
  const regenerate = createRegenerate(needs)

  await expect(regenerate()).rejects.toMatchObject(missing)
  await symlink('/bin/true', file)
  await expect(regenerate()).rejects.toMatchObject(missing)
  await rm(dirname(file), { recursive: true })
  await writeFile(dirname(file), 'not a folder')
  await expect(regenerate()).rejects.toMatchObject(missing)
})

test('only one of two parallel requests runs', async () => {
  const { needs } = await makeNeeds('print(1)')
  const regenerate = createRegenerate(needs)

  const first = regenerate()
  await expect(regenerate()).rejects.toMatchObject({ code: 'regeneration_under_way' })
  expect(await first).toMatchObject({ success: true })
  expect(await regenerate()).toMatchObject({ success: true })
})

const plan = { harness: 'codex', status: 'dry_run', files: [], diff: '+ hooks' }

/** Stands in for the command line: prints a plan, or fails as the harness names it. */
const cliScript = `
const [command, id, ...options] = process.argv.slice(1)
const isEnvironmentClean = process.env.SECRET === undefined && process.env.SVC_URL
if (id === 'gemini') {
  console.error(JSON.stringify({ error: 'settings.json is a folder', code: 'x', hint: 'Move it' }))
  process.exit(1)
}
if (id === 'cursor') throw new Error('no tea')
if (options.join() !== '--dry-run,--json' || command !== 'install' || !isEnvironmentClean) process.exit(9)
console.log(${JSON.stringify(JSON.stringify(plan))})`

test('connect runs the own command line, one at a time, and returns its JSON', async () => {
  const { needs } = await makeNeeds()
  const connect = createConnect(needs)

  const first = connect({ id: 'codex', command: 'install', dryRun: true })
  await expect(connect({ id: 'codex', command: 'install', dryRun: true })).rejects.toMatchObject({
    kind: 'conflict',
    code: 'harness_busy',
  })
  expect(await first).toEqual(plan)
})

test.each([
  ['--help', { kind: 'not_found', code: 'harness_not_found' }],
  ['gemini', { code: 'harness_not_changed', message: 'settings.json is a folder. Move it' }],
  ['cursor', { kind: 'unavailable', message: expect.stringContaining('no tea') }],
])('connect of %s is refused with the message of the command', async (id, refusal) => {
  const { needs } = await makeNeeds()

  await expect(
    createConnect(needs)({ id, command: 'install', dryRun: true }),
  ).rejects.toMatchObject(refusal)
})
