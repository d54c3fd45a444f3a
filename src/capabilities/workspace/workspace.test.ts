import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { list } from 'tar'
import { expect, test } from 'vitest'
import { openTestSqlite } from '../../kernel/testing/engines.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { backUp, verifyArchive, writeArchive } from './backup.ts'
import { featuresSettings } from './config.ts'
import { listFiles, saveFile } from './files.ts'
import { readIdentity, readIdentityFields } from './identity.ts'
import { createWorkspace } from './index.ts'
import type { WorkspaceNeeds } from './needs.ts'

async function makeNeeds(files: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  const database = await openTestSqlite({ file: join(folder, 'memory', 'memories.db') })
  const needs: WorkspaceNeeds = {
    host: fixedHost(),
    folder,
    version: '1.0.0',
    logPaths: [join(folder, 'logs'), join(folder, 'memory', 'service.txt')],
    excludedFiles: () => [join(folder, 'hidden.key')],
    database,
    settings: {
      validate: (_file, text) => ({
        unknownSettings: [],
        ...(text.includes('broken') && { problem: 'agent.yaml: broken' }),
        waiting: text.includes('later') ? ['auth.mode'] : [],
      }),
      readValue: (text) => text.includes('paused: true'),
      features: () => ({}),
    },
  }
  return { folder, needs }
}

function recordOf(path: string, content: string) {
  return { path, size: content.length, sha256: hash('sha256', content) }
}

test('the start removes what a killed daemon was writing', async () => {
  const { folder, needs } = await makeNeeds()
  const left = join(folder, '.daemon', '.next-aB3dE5')
  await mkdir(left, { recursive: true })
  await writeFile(join(left, 'file'), 'half')
  await utimes(left, new Date(0), new Date(0))

  await createWorkspace(needs).start()

  expect(await readdir(join(folder, '.daemon'))).toEqual([])
})

test('lists settings first, then well-known files, without links', async () => {
  const files = { 'z.md': '', 'a.yaml': '', 'USER.md': '', 'agent.yaml': 'x: 1', 'b.txt': '' }
  const { folder, needs } = await makeNeeds(files)
  await symlink('/etc/hosts', join(folder, 'link.md'))

  const listed = await listFiles(needs)

  expect(listed.map(({ name }) => name)).toEqual(['agent.yaml', 'USER.md', 'a.yaml', 'z.md'])
  expect(listed[0]).toEqual({ name: 'agent.yaml', content: 'x: 1', size: 4 })
})

test('a file above the limit is listed without content', async () => {
  const { needs } = await makeNeeds({ 'large.md': 'x'.repeat(1_048_577), 'small.md': 'y' })

  expect(await listFiles(needs)).toEqual([
    { name: 'large.md', content: '', size: 1_048_577 },
    { name: 'small.md', content: 'y', size: 1 },
  ])
})

test.each([
  ['../up.md', 'text', 'invalid_request'],
  ['sub/a.md', 'text', 'invalid_request'],
  ['a.sh', 'text', 'invalid_request'],
  ['.hidden.md', 'text', 'invalid_request'],
  ['link.md', 'text', 'invalid_request'],
  ['a.md', 'x'.repeat(1_048_577), 'file_too_large'],
  ['agent.yaml', 'broken', 'invalid_settings'],
  ['agent.yaml', 'paused: true', 'pipeline_setting'],
])('%s is not saved when it should not be', async (file, content, code) => {
  const { folder, needs } = await makeNeeds({ 'agent.yaml': 'x: 1' })
  await symlink('/etc/hosts', join(folder, 'link.md'))

  await expect(saveFile(needs, { file, content })).rejects.toMatchObject({ code })

  expect(await readFile(join(folder, 'agent.yaml'), 'utf8')).toBe('x: 1')
})

test('a valid save replaces a broken settings file', async () => {
  const { folder, needs } = await makeNeeds({ 'agent.yaml': 'broken' })

  await saveFile(needs, { file: 'agent.yaml', content: 'x: 2' })

  expect(await readFile(join(folder, 'agent.yaml'), 'utf8')).toBe('x: 2')
})

test('a settings save cannot pause or resume the pipeline', async () => {
  const { needs } = await makeNeeds({ 'agent.yaml': 'paused: true' })
  const save = (content: string) => saveFile(needs, { file: 'agent.yaml', content })

  await expect(save('x: 1')).rejects.toMatchObject({ code: 'pipeline_setting' })
  await expect(save('paused: true, x: 1')).resolves.toMatchObject({ success: true })
})

test('a settings save lists the settings that need a restart', async () => {
  const { needs } = await makeNeeds()
  const save = (file: string, content: string) => saveFile(needs, { file, content })

  expect(await save('agent.yaml', 'x: later')).toEqual({
    success: true,
    waitingForRestart: ['auth.mode'],
    unknownSettings: [],
  })
  expect(await save('agent.yaml', 'x: 2')).toEqual({
    success: true,
    waitingForRestart: [],
    unknownSettings: [],
  })
  expect(await save('USER.md', 'later')).toEqual({ success: true })
})

test('a dry run checks the settings and saves nothing', async () => {
  const { needs } = await makeNeeds({ 'agent.yaml': 'x: 1' })
  const check = (content: string) => saveFile(needs, { file: 'agent.yaml', content, dryRun: true })

  expect(await check('x: later')).toMatchObject({ waitingForRestart: ['auth.mode'] })
  await expect(check('paused: true')).rejects.toMatchObject({ code: 'pipeline_setting' })
  expect(await readFile(join(needs.folder, 'agent.yaml'), 'utf8')).toBe('x: 1')
})

test('parses the identity, with defaults', async () => {
  const { needs } = await makeNeeds({ 'IDENTITY.md': '# Me\n- **Name:** Ada\n- creature: owl\n' })

  expect(await readIdentity(needs)).toEqual({ name: 'Ada', creature: 'owl', vibe: '' })
  expect((await readIdentity((await makeNeeds()).needs)).name).toBe('Unknown')
})

test('reads identity fields only near the top of the file', () => {
  const hostile = `${'*'.repeat(500_000)}\n${'_ '.repeat(200_000)}x\n`

  expect(readIdentityFields(`${hostile}* __Name__ : *Ada: B* _\nName: Bob`)).toEqual(
    new Map([['name', 'Ada: B']]),
  )
  expect(readIdentityFields(`${'\n'.repeat(200)}Name: Ada`)).toEqual(new Map())
})

test('drops features that are not booleans', () => {
  expect(featuresSettings.schema.parse({ a: true, b: 'false', c: 'maybe', d: 1 })).toEqual({
    a: true,
    b: false,
  })
})

test('a backup contains the database and every other file, readable only by the owner', async () => {
  const { folder, needs } = await makeNeeds({ 'agent.yaml': 'x: 1' })
  await mkdir(join(folder, '.daemon'))
  await writeFile(join(folder, '.daemon', 'auth-secret'), 'secret')
  await writeFile(join(folder, '.daemon', 'hook-timeout'), 'http://127.0.0.1:3850')
  await writeFile(join(folder, '.daemon', 'daemon.lock'), '')
  await writeFile(join(folder, 'hidden.key'), 'excluded by the settings')
  await writeFile(join(folder, 'memory', 'service.txt'), 'a log of another name')

  const made = await backUp(needs, {})

  const paths: string[] = []
  await list({ file: made.file, onReadEntry: ({ path }) => paths.push(path) })
  const files = ['.daemon/auth-secret', 'agent.yaml', 'memory/memories.db']
  expect(paths.filter((path) => !path.endsWith('/')).toSorted()).toEqual(
    [...files, 'manifest.json'].toSorted(),
  )
  expect(made.files).toBe(3)
  expect((await stat(made.file)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(folder, 'backups'))).toHaveLength(1)
  expect(await readdir(join(folder, '.daemon'))).not.toContainEqual(expect.stringMatching('backup'))
})

test.each([
  ['holds a file in another form', [{ path: 'a.md', size: 1, sha256: '0'.repeat(64) }], 'a.md'],
  ['contains an unlisted file', [], 'unlisted'],
  ['lacks what is listed', [recordOf('a.md', 'x'), recordOf('b.md', 'x')], 'b.md'],
])('rejects an archive that %s', async (_, files, message) => {
  const folder = await temporaryFolder()
  for (const name of ['a.md', 'manifest.json']) await writeFile(join(folder, name), 'x')
  const archive = join(await temporaryFolder(), 'archive.tar.gz')
  await writeArchive(archive, folder)

  const verifying = verifyArchive(archive, { format: 1, version: '', created_at: '', files })

  await expect(verifying).rejects.toThrow(message)
})

test('leftovers of a killed backup are removed and not backed up', async () => {
  const { folder, needs } = await makeNeeds()
  const left = join(folder, '.daemon', 'backup-aB3dE5')
  await mkdir(join(left, 'memory'), { recursive: true })
  await writeFile(join(left, 'memory', 'memories.db'), 'a copy')
  await mkdir(join(folder, 'backups'))
  await writeFile(join(folder, 'backups', 'reverie-20260101T000000Z.tar.gz.partial'), 'half')
  await writeFile(join(folder, 'backups', 'mine.partial'), 'mine')
  await mkdir(join(folder, '.next-aB3dE5'))
  await writeFile(join(folder, '.next-aB3dE5', 'file'), 'half')

  const { files } = await backUp(needs, {})

  expect(files).toBe(1)
  expect(await readdir(join(folder, '.daemon'))).toEqual([])
  expect((await readdir(join(folder, 'backups'))).toSorted()).toEqual([
    'mine.partial',
    'reverie-20260102T030405Z.tar.gz',
  ])
})

test('a backup never replaces a file and writes only to its target', async () => {
  const { folder, needs } = await makeNeeds({ 'mine.tar.gz': 'mine' })
  const file = join(folder, 'mine.tar.gz')

  await expect(backUp(needs, { file })).rejects.toMatchObject({ code: 'backup_exists' })
  await expect(backUp(needs, { file: 'here.tar.gz' })).rejects.toMatchObject({ kind: 'invalid' })
  expect(await readFile(file, 'utf8')).toBe('mine')
  const onServer = { ...needs, database: { ...needs.database, engine: 'postgres' as const } }
  await expect(backUp(onServer, {})).rejects.toMatchObject({ message: /pg_dump/ })
})
