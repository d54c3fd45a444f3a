import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { transaction } from '../../kernel/db/transaction.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { readReceipt } from './read.ts'
import { listFiles } from './store/agent-removal.ts'
import { onEachEngine, transcriptsFor } from './transcripts.fixture.ts'

onEachEngine('deletes the turns of a purged agent from every file', async (db) => {
  const { transcripts, needs, folder, workUntil } = transcriptsFor(db)
  const capture = async (agentId: string, sessionKey: string, harness = 'codex') => {
    const ref = { agentId, sessionKey }
    const read = await transcripts.readInput({ harness, transcript: `User: ${agentId}` })
    const id = await transaction(db, async (db) => {
      const snapshot = { ...ref, harness, read, complete: true }
      const saved = await transcripts.saveSnapshot(db, snapshot)
      if (!saved) throw new Error('nothing was saved')
      return transcripts.enqueueCapture(db, saved)
    })
    await workUntil(
      async () => (await readReceipt(needs, { ...ref, scope: {} }, id)).status === 'completed',
    )
  }
  const sessionsIn = async (harness: string) => {
    const text = await readFile(join(folder, 'transcripts', harness, 'transcript.jsonl'), 'utf8')
    const lines = text.split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line).session_key)
  }
  await capture('ada', 'a1')
  await capture('bob', 'b1')
  await capture('ada', 'a2', 'gemini')
  const artifact = {
    agentId: 'ada',
    sessionKey: 'a1',
    harness: 'codex',
    body: toCleanText('All is well.'),
  }
  await transcripts.saveArtifact({ ...artifact, kind: 'compaction', capturedAt: '2026-01-01' })

  await transaction(db, (db) => transcripts.agentRemoval.purge(db, 'ada'))
  await capture('ada', 'a3')
  await workUntil(async () => {
    const keys = [...(await sessionsIn('gemini')), ...(await sessionsIn('codex'))]
    return !keys.includes('a1') && !keys.includes('a2')
  })

  expect(await sessionsIn('codex')).toEqual(['b1', 'a3'])
  expect(await readdir(join(folder, 'memory'))).toHaveLength(2)
  expect(await listFiles(db, 'ada', 10)).toHaveLength(2)
  expect((await transcripts.listArtifacts(db, { agentId: 'bob', limit: 10 })).length).toBe(2)
})
