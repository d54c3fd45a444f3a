import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { readReceipt } from './read.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const ada = callerFor('ada')
const maxBackoffMs = 600_000
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

function captureFixture(db: Db) {
  const { transcripts, needs, ...place } = transcriptsFor(db)
  const { workUntil } = place
  const ids = new Set<string>()
  const capture = async (lines: readonly string[], sessionKey = 's1') => {
    const read = await transcripts.readInput({ harness: 'codex', transcript: lines.join('\n') })
    return transaction(db, async (db) => {
      const snapshot = { ...session, sessionKey, project: 'apollo', read, complete: true }
      const saved = await transcripts.saveSnapshot(db, snapshot)
      if (!saved) throw new Error('nothing was saved')
      const id = await transcripts.enqueueCapture(db, saved)
      ids.add(id)
      return id
    })
  }
  /** Until every capture has ended. */
  const work = () =>
    workUntil(async () => {
      const receipts = await Promise.all([...ids].map((id) => readReceipt(needs, ada, id)))
      return receipts.every(({ status }) => status === 'completed' || status === 'dead')
    })
  const receipt = (id: string) => readReceipt(needs, ada, id)
  return { transcripts, needs, ...place, capture, work, receipt }
}

onEachEngine('writes the file, manifest and rows of a session', async (db) => {
  const { transcripts, folder, capture, work, lines, receipt } = captureFixture(db)
  const id = await capture([
    'User: where is it?',
    'Assistant: The parser of codex records lives in record.ts and reads each of the lines.',
  ])
  expect(await receipt(id)).toMatchObject({ id, status: 'pending', completedAt: null })

  await work()

  expect(id).toMatch(/^tcj_[0-9a-f]{32}$/)
  expect(await receipt(id)).toMatchObject({ status: 'completed', error: null })
  const content =
    'User: where is it?\nAssistant: The parser of codex records lives in record.ts and reads each of the lines.'
  expect(await lines()).toEqual([
    {
      schema: 'svc.transcript.v1',
      agent_id: 'ada',
      harness: 'codex',
      project: 'apollo',
      session_key: 's1',
      session_id: null,
      captured_at: '2026-01-02T03:04:05.000Z',
      seq: 1,
      role: 'user',
      content: 'where is it?',
      source_format: 'markdown',
      id: sha256Of(['ada', 'codex', 's1', '1', 'user', 'where is it?'].join('\0')).slice(0, 32),
      source_sha256: sha256Of(content),
    },
    expect.objectContaining({ seq: 2, role: 'assistant', source_sha256: sha256Of(content) }),
  ])
  const [manifest = ''] = await readdir(join(folder, 'memory'))
  expect(manifest).toMatch(/^2026-01-02T03-04-05\.000Z--[a-z2-7]{16}--manifest\.md$/)
  const text = await readFile(join(folder, 'memory', manifest), 'utf8')
  expect(text).toContain('transcript_path: "transcripts/codex/transcript.jsonl"\n')
  expect(text).toContain('revision: 1\n')
  expect(await transcripts.listArtifacts(db, { agentId: 'ada', limit: 10 })).toMatchObject([
    { sourceKind: 'manifest' },
    {
      sourceKind: 'transcript',
      sourceSha256: sha256Of(content),
      harness: 'codex',
      sourcePath: expect.stringMatching(/^transcripts\/codex\/transcript\.jsonl#[a-z2-7]{16}$/),
      manifestPath: `memory/${manifest}`,
      sourceNodeId: expect.stringMatching(/^transcript:/),
      sessionKey: 's1',
      project: 'apollo',
      endedAt: expect.any(String),
      memorySentence: 'The parser of codex records lives in record.ts and reads each of the lines.',
      memorySentenceQuality: 'ok',
    },
  ])
})

onEachEngine('writes repeated turns once and appends new turns', async (db) => {
  const { capture, work, lines, receipt } = captureFixture(db)
  const first = await capture(['User: a', 'Assistant: b'])
  expect(await capture(['User: a', 'Assistant: b'])).toBe(first)
  await work()
  const before = await lines()

  expect(await capture(['User: a'])).toBe(first)
  expect(await receipt(first)).toMatchObject({ status: 'completed' })
  await capture(['User: other'], 's2')
  expect(await capture(['User: a', 'Assistant: b', 'User: c'])).toBe(first)
  await work()

  const after = await lines()
  expect(after.slice(0, 2)).toEqual(before)
  expect(after.filter(({ session_key: key }) => key === 's1').map(({ seq }) => seq)).toEqual([
    1, 2, 3,
  ])
})

onEachEngine('rejects a diverging transcript of a complete session', async (db) => {
  const { capture, work, lines, receipt } = captureFixture(db)
  await capture(['User: a', 'Assistant: b'])
  await work()
  const before = await lines()

  const id = await capture(['User: quite another one', 'Assistant: and longer'])

  expect(await receipt(id)).toMatchObject({ status: 'dead' })
  expect((await receipt(id)).error).toContain('transcript_mismatch')
  expect(await lines()).toEqual(before)
})

onEachEngine('cuts off only the partial line of a killed write', async (db) => {
  const { capture, work, lines, file } = captureFixture(db)
  await capture(['User: a'])
  await work()
  await writeFile(file, '{"schema":"svc.transcript.v1","id":"ha', { flag: 'a' })

  await capture(['User: b'], 's2')
  await work()

  expect((await lines()).map(({ content }) => content)).toEqual(['a', 'b'])
})

onEachEngine('preserves archived turns in the file and appends new ones', async (db) => {
  const { transcripts, capture, work, lines } = captureFixture(db)
  await capture(['User: a', 'Assistant: b'])
  await work()

  await transcripts.archive(db, session)
  await capture(['User: c'])
  await work()

  expect((await lines()).map(({ content, seq }) => [content, seq])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ])
})

onEachEngine('counts archived turns in the sentence', async (db) => {
  const { transcripts, capture, work } = captureFixture(db)
  const sentences = async () =>
    (await transcripts.listArtifacts(db, { ...session, limit: 9 }))
      .filter(({ sourceKind }) => sourceKind === 'transcript')
      .map(({ memorySentence }) => memorySentence)
  await capture(['User: a', 'Assistant: b', 'User: c'])
  await work()
  await transaction(db, (db) => transcripts.archive(db, session))

  await capture(['User: d', 'Assistant: e'])
  await work()

  expect((await transcripts.find(db, session))?.content).toBe('[truncated]\nUser: d\nAssistant: e')
  expect(await sentences()).toEqual([expect.stringContaining('with 5 turns of conversation')])
})

onEachEngine('replaces a diverging session atomically', async (db) => {
  const { transcripts, capture, work, lines } = captureFixture(db)
  await capture(['User: keep me'], 's2')
  await capture(['User: a', 'Assistant: b'])
  await work()

  const turns = [{ role: 'user', text: 'c' }] as const
  await transcripts.appendLive(db, { ...session, turns })
  await capture(['User: written again and longer', 'Assistant: yes'])
  await work()

  expect((await lines()).map(({ content, seq }) => [content, seq])).toEqual([
    ['keep me', 1],
    ['written again and longer', 1],
    ['yes', 2],
  ])
})

onEachEngine('eight concurrent captures write whole lines', async (db) => {
  const { capture, work, lines } = captureFixture(db)
  const keys = Array.from({ length: 8 }, (_, index) => `s${index}`)

  await Promise.all(keys.map((key) => capture([`User: ${key}`, 'Assistant: yes'], key)))
  await work()

  expect((await lines()).map(({ session_key: key }) => key).toSorted()).toEqual(
    keys.flatMap((key) => [key, key]),
  )
})

onEachEngine('a receipt is private to its agent and has no transcript text', async (db) => {
  const { needs, capture, receipt } = captureFixture(db)
  const id = await capture(['User: umbrage'])

  await expect(readReceipt(needs, callerFor('bob'), id)).rejects.toMatchObject({
    kind: 'not_found',
    message: 'Transcript capture job not found',
  })
  expect(JSON.stringify(await receipt(id))).not.toMatch(/umbrage|jsonl/)
})

onEachEngine('tries a capture five times with growing delays', async (db) => {
  const { host, capture, folder, workUntil, receipt } = captureFixture(db)
  await writeFile(join(folder, 'transcripts'), '')
  const id = await capture(['User: a'])
  await workUntil(async () => true)

  for (const attempts of [1, 2, 3, 4]) {
    await expect.poll(() => receipt(id)).toMatchObject({ status: 'failed', attempts })
    host.advance(maxBackoffMs)
  }
  await expect.poll(() => receipt(id)).toMatchObject({ status: 'dead', attempts: 5 })

  expect(await capture(['User: a'])).toBe(id)
})

onEachEngine('the reason of a failed capture has no file name', async (db) => {
  const { needs, capture, folder } = captureFixture(db)
  const id = await capture(['User: a'])
  const reason = `ENOSPC: no space left on device, open '${folder}/x y' at ${folder}/x`
  const find = async (jobId: string) => {
    const job = await needs.jobs.find(jobId)
    return job && { ...job, state: 'failed' as const, reason }
  }

  expect(await readReceipt({ db, jobs: { ...needs.jobs, find } }, ada, id)).toMatchObject({
    status: 'failed',
    error: 'ENOSPC: no space left on device, open … at …',
  })
})

onEachEngine('archives or purges the sessions of a removed agent', async (db) => {
  const { transcripts, capture, work, workUntil, file, folder } = captureFixture(db)
  await capture(['User: a'])
  await work()
  const bob = { ...session, agentId: 'bob', complete: true }
  await transcripts.saveSnapshot(db, {
    ...bob,
    read: await transcripts.readInput({ harness: 'codex', transcript: 'User: b' }),
  })

  await transaction(db, (db) => transcripts.agentRemoval.archive(db, 'bob'))
  expect(await transcripts.find(db, bob)).toBeUndefined()

  await transaction(db, (db) => transcripts.agentRemoval.purge(db, 'ada'))
  expect(await transcripts.find(db, session)).toBeUndefined()
  await workUntil(async () => (await readdir(join(folder, 'memory'))).length === 0)
  await workUntil(async () => (await readFile(file, 'utf8')) === '')
  expect(await transcripts.listArtifacts(db, { agentId: 'ada', limit: 10 })).toEqual([])
})
