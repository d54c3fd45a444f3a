import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createRowsTask } from '../../kernel/jobs/upgrade-tasks.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { cleanArtifactFiles, storedArtifacts } from './clean-stored.ts'
import type { NewArtifact } from './save-artifact.ts'
import { findArtifact } from './store/artifacts.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const body = `We keep ${key} in worker.ts.\n<private>umbrage\nand more</private> &lt;private>umbrage&lt;/private> <system-reminder>\nDB_PASSWORD=rosebud\n`
const clean = toCleanText(
  `We keep ${key} in worker.ts.\n  <system-reminder>\nDB_PASSWORD=rosebud\n`,
)

/** An artifact whose row and file hold the text as an earlier version wrote it. */
async function withStored(db: Parameters<typeof transcriptsFor>[0]) {
  const fixture = transcriptsFor(db)
  const { transcripts, needs, folder } = fixture
  const artifact: NewArtifact = {
    ...session,
    kind: 'compaction',
    capturedAt: '2026-01-02T03:04:05.678Z',
    body: toCleanText(body) && (body as NewArtifact['body']),
  }
  const { sourcePath } = await transcripts.saveArtifact(artifact)
  const file = join(folder, sourcePath)
  const read = () => readFile(file, 'utf8')
  // Earlier versions also wrote marks that a model would obey.
  await writeFile(file, (await read()).replaceAll('&lt;system-reminder>', '<system-reminder>'))
  await writeFile(join(folder, 'memory', 'mine.md'), body)
  const upgrade = async () => {
    expect(await createRowsTask(db, storedArtifacts).run(undefined)).toBe(undefined)
    expect(await cleanArtifactFiles(needs).run(undefined)).toBe(undefined)
  }
  const find = () => findArtifact(db, { agentId: 'ada', sourcePath })
  return { ...fixture, artifact, file, read, upgrade, find }
}

onEachEngine('an upgrade cleans the rows and files of compactions', async (db) => {
  const { read, upgrade, find, folder } = await withStored(db)
  const manifests = async () =>
    Promise.all(
      (await readdir(join(folder, 'memory')))
        .filter((name) => name.includes('manifest') || name === 'mine.md')
        .map((name) => readFile(join(folder, 'memory', name), 'utf8')),
    )
  const others = await manifests()
  expect(await read()).toContain(key)

  await upgrade()

  const text = await read()
  const row = await find()
  for (const mark of [key.slice(4), 'umbrage', 'and more', 'rosebud', '<system-reminder>'])
    expect(`${text}${JSON.stringify(row)}`).not.toContain(mark)
  expect(text.endsWith(`---\n\n${row?.content}`)).toBe(true)
  expect(text).toContain(`\ncontent_sha256: "${row?.sourceSha256}"\n`)
  expect(await manifests()).toEqual(others)
  await upgrade()
  expect(await read()).toBe(text)
})

onEachEngine('saving a cleaned artifact again has no effect', async (db) => {
  const { transcripts, artifact, read, upgrade, find } = await withStored(db)
  await upgrade()
  const [text, row] = [await read(), await find()]

  await transcripts.saveArtifact({ ...artifact, body: clean })

  expect(await read()).toBe(text)
  expect(await find()).toMatchObject({ content: row?.content, sourceSha256: row?.sourceSha256 })
})
