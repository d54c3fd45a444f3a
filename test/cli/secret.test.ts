import { createHash } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { removeFolder } from '../support/make-folder.ts'
import { reverieOf, runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({ mode: 'local', engine: 'sqlite' })
afterAll(() => service.stop())
const { run, env: connection, outputs } = reverieOf(service, 'admin')
const value = ['synthetic', 'value', 'of', 'moss'].join('-')
const inFolder = (name: string) => join(service.workspace, name)
const env = { ...connection, SVC_PATH: service.workspace }

test('an empty store says how to store a secret', async () => {
  expect((await run(['secret', 'list'])).stdout).toContain('reverie secret put NAME')
})

test('a value is read from stdin or a file, and never shown', async () => {
  await writeFile(inFolder('value.txt'), value)
  const runs = [
    await run(['secret', 'put', 'MOSS_KEY'], `${value}\n`),
    await run(['secret', 'put', 'FILE_KEY', '--from-file', inFolder('value.txt')]),
    await run(['secrets', 'list', '--json']),
    await run(['secret', 'has', 'MOSS_KEY']),
  ]
  await rm(inFolder('value.txt'))

  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(JSON.parse(runs[2]?.stdout ?? '')).toMatchObject({ secrets: ['FILE_KEY', 'MOSS_KEY'] })
  for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(value)
})

test('exec runs a command with a secret, hides it and exits with its code', async () => {
  const script = 'printf "%s|" "$1" "$MOSS"; exit 3'
  const args = [
    'secret',
    'exec',
    '--secret',
    'MOSS=MOSS_KEY',
    '--',
    'sh',
    '-c',
    script,
    'sh',
    "it's",
  ]
  const { code, stdout } = await run(args)

  expect([code, stdout]).toEqual([3, "it's|[REDACTED]|"])
  expect((await run(['secret', 'exec', '--secret', 'MOSS=ABSENT', '--', 'true'])).code).toBe(3)
  expect((await run(['secret', 'exec', '--secret', 'MOSS', '--', 'true'])).code).toBe(2)
})

test('an absent secret exits with 4, an empty value and an invalid name are refused', async () => {
  expect((await run(['secret', 'has', 'ABSENT'])).code).toBe(4)
  expect((await run(['secret', 'delete', 'ABSENT', '--yes'])).code).toBe(4)
  expect((await run(['secret', 'put', 'EMPTY'], '\n')).code).toBe(2)
  for (const name of ['a.b', 'exec', 'svc_token']) {
    const { code, stderr } = await run(['secret', 'put', name], 'x')
    expect([code, stderr]).toEqual([2, expect.stringContaining('are reserved')])
  }
  expect((await run(['secret', 'delete', 'FILE_KEY', '--yes'])).code).toBe(0)
})

test('a backup without the key, and an exported key, bring every secret back', async () => {
  const [exported, passphrase] = ['moved-key.json', 'moved-pass'].map(inFolder)
  await writeFile(passphrase ?? '', 'correct horse\n')
  await run(['secret', 'put', 'MOVED_KEY'], value)
  const file = ['--passphrase-file', passphrase ?? '']
  expect(
    (await runReverie(['secret', 'key', 'export', exported ?? '', ...file], { env })).code,
  ).toBe(0)
  const { body } = await service.ask('POST /api/workspace/backup', { body: {} })
  const into = await mkdtemp(join(tmpdir(), 'reverie-restored-'))
  await runReverie(['restore', String(body['file']), '--into', join(into, 'workspace')])

  const workspace = join(into, 'workspace')
  const restored = await startService({ mode: 'local', engine: 'sqlite', workspace })
  onTestFinished(async () => {
    await restored.stop()
    await removeFolder(into)
  })
  const { run: runThere, env: there } = reverieOf(restored, 'admin')
  const exec = ['secret', 'exec', '--secret', 'MOSS=MOVED_KEY', '--', 'sh', '-c']
  const digest = createHash('sha256').update(value).digest('hex')
  const isWhole = `printf %s "$MOSS" | sha256sum | grep -q ${digest}`
  expect((await runThere(['secret', 'list'])).stdout).toContain('MOVED_KEY')
  expect((await runThere([...exec, 'true'])).code).toBe(7)
  const importing = ['secret', 'key', 'import', exported ?? '', ...file]
  const { code } = await runReverie(importing, { env: { ...there, SVC_PATH: workspace } })
  expect(code).toBe(0)
  expect((await runThere([...exec, isWhole])).code).toBe(0)
})

test('an exported key brings the secrets back, and only with its passphrase', async () => {
  const [exported, passphrase, wrong] = ['key.json', 'pass', 'wrong'].map(inFolder)
  await writeFile(passphrase ?? '', 'correct horse\n')
  await writeFile(wrong ?? '', 'wrong horse\n')
  const key = (action: string, file = passphrase, target = exported) =>
    runReverie(['secret', 'key', action, target ?? '', '--passphrase-file', file ?? ''], { env })

  expect((await key('export')).code).toBe(0)
  expect((await stat(exported ?? '')).mode & 0o777).toBe(0o600)
  expect((await key('export')).code).toBe(6)
  expect((await key('import')).code).toBe(6)
  await rm(inFolder('.secrets/key'))
  expect((await runReverie(['doctor'], { env })).stdout).toContain('reverie secret key import')
  expect((await key('import', wrong)).code).toBe(3)
  expect((await key('import', passphrase, passphrase)).code).toBe(3)
  expect((await run(['secret', 'put', 'OTHER'], 'x')).code).toBe(7)
  expect((await key('import')).code).toBe(0)
  expect((await run(['secret', 'key', 'status'])).stdout).toMatch(/state +ready/)
  expect((await run(['secret', 'key', 'rotate'])).code).toBe(0)
  await rm(inFolder('.secrets/key'))
  expect((await key('import')).stderr).toContain('the secrets have the key')
})

test('the value is in no output, file or log', async () => {
  await expectNoLeak(service, [value], outputs)
})
