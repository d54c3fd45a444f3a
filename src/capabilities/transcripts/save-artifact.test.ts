import { hash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const now = '2026-01-02T03:04:05.000Z'
const compaction = {
  ...session,
  kind: 'compaction' as const,
  project: 'apollo',
  sourceNodeId: 'n1',
  body: toCleanText('We \u2018painted\u2019 the barn.  \r\n\r\n'),
  capturedAt: '2026-01-02T03:00:00.000Z',
}
const body = 'We \u2018painted\u2019 the barn.\n'
const sha256 = hash('sha256', body)
const sentence = 'A session of the harness codex in the project apollo was captured on 2026-01-02.'

onEachEngine('writes a compaction with front matter and links it in the manifest', async (db) => {
  const { transcripts, folder } = transcriptsFor(db)

  const { sourcePath, sessionToken } = await transcripts.saveArtifact(compaction)

  const name = `memory/2026-01-02T03-00-00.000Z--${sessionToken}`
  const manifest = `${name}--manifest.md`
  expect(sessionToken).toMatch(/^[a-z2-7]{16}$/)
  expect(sourcePath).toBe(`${name}--compaction.md`)
  expect(await readFile(join(folder, sourcePath), 'utf8')).toBe(`---
kind: "compaction"
agent_id: "ada"
session_id: null
session_key: "s1"
project: "apollo"
harness: "codex"
captured_at: "2026-01-02T03:00:00.000Z"
started_at: null
ended_at: null
manifest_path: "${manifest}"
source_node_id: "n1"
content_sha256: "${sha256}"
hash_scope: "body-normalized-v1"
memory_sentence: "${sentence}"
memory_sentence_version: "memory_sentence_v1"
memory_sentence_quality: "fallback"
memory_sentence_generated_at: "${now}"
---

${body}`)
  expect(await readFile(join(folder, manifest), 'utf8')).toMatch(
    new RegExp(`^---
kind: "manifest"
agent_id: "ada"
session_id: null
session_key: "s1"
project: "apollo"
harness: "codex"
captured_at: "2026-01-02T03:00:00.000Z"
started_at: "2026-01-02T03:00:00.000Z"
ended_at: null
summary_path: null
compaction_path: "${sourcePath}"
transcript_path: null
memory_md_refs: \\[\\]
revision: 1
updated_at: "${now}"
content_sha256: "[0-9a-f]{64}"
hash_scope: "body-normalized-v1"
---

# A session of codex

- Compaction: ${sourcePath}
$`),
  )
})

onEachEngine('saves matching rows and increments the manifest revision', async (db) => {
  const { transcripts, folder } = transcriptsFor(db)
  const { sourcePath, sessionToken } = await transcripts.saveArtifact(compaction)
  const later = {
    ...compaction,
    capturedAt: '2026-01-02T03:02:00.000Z',
    body: toCleanText('And the gate.'),
  }
  const second = await transcripts.saveArtifact(later)

  const manifestPath = sourcePath.replace('compaction', 'manifest')
  const rows = await transcripts.listArtifacts(db, { agentId: 'ada', limit: 10 })
  expect(rows.find((row) => row.sourcePath === sourcePath)).toEqual({
    agentId: 'ada',
    sourcePath,
    sourceSha256: sha256,
    sourceKind: 'compaction',
    sessionId: null,
    sessionKey: 's1',
    sessionToken,
    project: 'apollo',
    harness: 'codex',
    capturedAt: compaction.capturedAt,
    startedAt: null,
    endedAt: null,
    manifestPath,
    sourceNodeId: 'n1',
    memorySentence: sentence,
    memorySentenceQuality: 'fallback',
    updatedAt: now,
  })
  expect(rows.map((row) => row.sourceKind).toSorted()).toEqual([
    'compaction',
    'compaction',
    'manifest',
  ])
  const manifest = await readFile(join(folder, manifestPath), 'utf8')
  expect(manifest).toContain(`\ncompaction_path: "${second.sourcePath}"\n`)
  expect(manifest).toContain('\nrevision: 2\n')
})

onEachEngine('never changes a written artifact', async (db) => {
  const { transcripts, folder } = transcriptsFor(db)
  const first = await transcripts.saveArtifact(compaction)
  const file = join(folder, first.sourcePath)
  const exists = { kind: 'conflict', code: 'artifact_exists' }

  expect(await transcripts.saveArtifact(compaction)).toEqual(first)
  await expect(
    transcripts.saveArtifact({ ...compaction, body: toCleanText('Other.') }),
  ).rejects.toMatchObject(exists)
  await writeFile(file, 'by hand')
  await expect(transcripts.saveArtifact(compaction)).rejects.toMatchObject(exists)
  expect(await readFile(file, 'utf8')).toBe('by hand')
  expect(await readdir(join(folder, 'memory'))).toHaveLength(2)
})

onEachEngine('counts the session’s turns in the sentence of a compaction', async (db) => {
  const { transcripts } = transcriptsFor(db)
  const turns = ['a', 'b', 'c'].map((text) => ({ role: 'user', text }) as const)
  await transcripts.appendLive(db, { ...session, turns })

  const { memorySentence } = await transcripts.saveArtifact(compaction)

  expect(memorySentence).toContain('with 3 turns of conversation')
})
