import { expect } from 'vitest'
import { testOnEachEngine } from '../../../kernel/testing/engines.ts'
import { sourcesMigrations } from '../migrations.ts'
import { listPaths, upsertArtifacts } from './artifacts.ts'
import { artifactChanges } from './changed-artifacts.ts'

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`
const artifact = (sourcePath: string, second: number, more: object = {}) => ({
  agentId: 'ada',
  sourceId: 'garden',
  generation: '1',
  sourcePath,
  sourceSha256: `hash-${sourcePath}`,
  sourceKind: 'markdown',
  sessionId: null,
  sessionKey: null,
  sessionToken: null,
  project: null,
  harness: null,
  capturedAt: at(0),
  startedAt: null,
  endedAt: null,
  updatedAt: at(second),
  manifestPath: null,
  sourceNodeId: null,
  memorySentence: null,
  memorySentenceQuality: null,
  content: 'words',
  sourceMtimeMs: null,
  sourceRoot: null,
  sourceExternalId: null,
  sourceParentPath: null,
  sourceMetaJson: null,
  isDeleted: 0,
  deletedAt: null,
  ...more,
})

testOnEachEngine(sourcesMigrations)('live artifacts follow a cursor in pages', async (db) => {
  const rows = [
    artifact('b.md', 1),
    artifact('a.md', 1),
    artifact('c.md', 2),
    artifact('gone.md', 2, { isDeleted: 1 }),
    artifact('broken.md', 2, { sourceKind: 'parse_failure' }),
    artifact('other.md', 2, { agentId: 'bob' }),
  ]
  await upsertArtifacts(db, rows)
  const start = { updatedAt: '', id: '' }
  const first = await artifactChanges.list(db, 'ada', { after: start, limit: 2 })
  expect(first.map(({ id, contentHash, chars }) => [id, contentHash, chars])).toEqual([
    ['a.md', 'hash-a.md', 5],
    ['b.md', 'hash-b.md', 5],
  ])
  const after = first.at(-1) ?? start
  expect(await artifactChanges.list(db, 'ada', { after, limit: 2 })).toMatchObject([{ id: 'c.md' }])
  expect(await artifactChanges.sum(db, 'ada', after)).toEqual({
    chars: 5,
    count: 1,
    oldestAt: at(0),
  })
  const end = { updatedAt: at(2), id: 'c.md' }
  expect(await artifactChanges.sum(db, 'ada', end)).toEqual({ chars: 0, count: 0, oldestAt: null })
})

testOnEachEngine(sourcesMigrations)('paths below a prefix are listed in order', async (db) => {
  const paths = ['a', 'a%/b', 'a/', 'a/\u{10fffd}', 'a/b', 'a0', 'A/b', 'b/a/']
  await upsertArtifacts(
    db,
    paths.map((path) => artifact(path, 1)),
  )
  const list = async (prefix: string, after = '') =>
    (await listPaths(db, 'garden', { agentId: 'ada', after, limit: 9, prefix })).map(
      ({ sourcePath }) => sourcePath,
    )

  expect(await list('a/')).toEqual(['a/', 'a/b', 'a/\u{10fffd}'])
  expect(await list('a/', 'a/')).toEqual(['a/b', 'a/\u{10fffd}'])
  expect(await list('a%')).toEqual(['a%/b'])
  expect(await list('')).toHaveLength(8)
})
