import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import { expect, onTestFinished, test } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'

interface Listed {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

const sound = { 'agent.yaml': 'log: { level: info }\n', 'memory/memories.db': 'rows' }

test('a restore unpacks each file of a backup into a new folder', async () => {
  const { archive, into } = await archiveOf(sound)
  const { code, stdout } = await restore(archive, into)

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ folder: into, files: 2 })
  expect(await readFile(join(into, 'memory/memories.db'), 'utf8')).toBe('rows')
  expect((await readdir(into)).sort()).toEqual(['agent.yaml', 'memory'])
})

test('a folder that is not empty is left alone, with 6', async () => {
  const { archive, into } = await archiveOf(sound)
  await mkdir(into)
  await writeFile(join(into, 'mine'), 'mine')

  expect((await restore(archive, into)).code).toBe(6)
  expect(await readdir(into)).toEqual(['mine'])
})

test.each<[string, (files: Listed[]) => Listed[]]>([
  [
    'differs from its checksum',
    ([first, ...rest]) => [{ ...only(first), sha256: '0'.repeat(64) }, ...rest],
  ],
  ['is missing or has another size', ([first, ...rest]) => [{ ...only(first), size: 1 }, ...rest]],
  ['is missing or has another size', (files) => [...files, { ...only(files[0]), path: 'more' }]],
  ['is not in the manifest', ([first]) => [only(first)]],
])('a file that %s is refused with 3, and nothing is left', async (problem, change) => {
  const { archive, into } = await archiveOf(sound, { change })
  const { code, stderr } = await restore(archive, into)

  expect(code).toBe(3)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'bad_archive' })
  expect(stderr).toContain(problem)
  expect((await readdir(dirname(into))).sort()).toEqual(['backup.tar.gz', 'saved'])
})

test('a link is refused', async () => {
  const { archive, into } = await archiveOf(sound, {
    before: (folder) => symlink('/etc/passwd', join(folder, 'link')),
  })
  const { code, stderr } = await restore(archive, into)

  expect(code).toBe(3)
  expect(stderr).toContain('is a SymbolicLink')
})

test('a path that points outside the folder is refused', async () => {
  const { archive, into } = await archiveOf(sound, { prefix: '../outside' })
  const { code, stderr } = await restore(archive, into)

  expect(code).toBe(3)
  expect(stderr).toContain('points outside the folder')
})

test('refuses a file that is not an archive', async () => {
  const { archive, into } = await archiveOf(sound)
  await writeFile(archive, 'not an archive')

  expect((await restore(archive, into)).code).toBe(3)
})

interface Making {
  readonly change?: (files: Listed[]) => Listed[]
  readonly before?: (folder: string) => Promise<void>
  readonly prefix?: string
}

async function archiveOf(files: Readonly<Record<string, string>>, making: Making = {}) {
  const { change = (files) => files, before, prefix } = making
  const folder = await mkdtemp(join(tmpdir(), 'reverie-restore-'))
  onTestFinished(() => removeFolder(folder))
  const saved = join(folder, 'saved')
  const listed = Object.entries(files).map(([path, text]) => ({
    path,
    size: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }))
  const written = { ...files, 'manifest.json': JSON.stringify({ files: change(listed) }) }
  for (const [path, text] of Object.entries(written)) {
    await mkdir(dirname(join(saved, path)), { recursive: true })
    await writeFile(join(saved, path), text)
  }
  await before?.(saved)
  const archive = join(folder, 'backup.tar.gz')
  const how = {
    file: archive,
    gzip: true,
    cwd: saved,
    preservePaths: true,
    ...(prefix && { prefix }),
  }
  await create(how, await readdir(saved))
  return { archive, into: join(folder, 'restored') }
}

function only(listed: Listed | undefined): Listed {
  if (!listed) throw new Error('nothing is listed')
  return listed
}

function restore(archive: string, into: string) {
  return runReverie(['restore', archive, '--into', into, '--json'])
}
