import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { readProjectCheckpoints, readSessionCheckpoints } from './checkpoints.ts'
import { tables } from './store/rows.ts'
import { makeFolder, onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const ada = callerFor('ada')
const checkpoint = {
  ...session,
  digest: toCleanText('a digest'),
  promptCount: 3,
  maxCheckpoints: 2,
  trigger: 'periodic' as const,
}

onEachEngine('retains the latest checkpoints of a session without credentials', async (db) => {
  const { transcripts, needs } = transcriptsFor(db)
  const digest = `Bearer ${'aB3dE5fG7h'.repeat(3)}`
  for (const recentRemembers of ['one', 'two', 'three'].map((text) => [toCleanText(text)]))
    await transcripts.saveCheckpoint(db, {
      ...checkpoint,
      digest: toCleanText(digest),
      recentRemembers,
    })

  const checkpoints = await readSessionCheckpoints(needs, ada, 's1')

  expect(checkpoints).toMatchObject([
    { recentRemembers: '["three"]' },
    { recentRemembers: '["two"]' },
  ])
  expect(checkpoints[0]?.digest).toBe('Bearer [REDACTED]')
  expect(await readSessionCheckpoints(needs, callerFor('bob'), 's1')).toEqual([])
})

onEachEngine('finds a project by real path and by name', async (db) => {
  const { transcripts, needs } = transcriptsFor(db)
  const folder = makeFolder()
  const link = join(makeFolder(), 'link')
  symlinkSync(folder, link)
  await transcripts.saveCheckpoint(db, { ...checkpoint, project: link })
  await transcripts.saveCheckpoint(db, { ...checkpoint, sessionKey: 's2', project: 'apollo' })
  const count = async (project: string) =>
    (await readProjectCheckpoints(needs, ada, { project, limit: 10 })).length

  expect([await count(link), await count(folder), await count('apollo')]).toEqual([1, 1, 1])
  expect(await count('gemini')).toBe(0)
})

onEachEngine('lists the checkpoints of a project, the latest first', async (db) => {
  const { transcripts, needs, host } = transcriptsFor(db)
  const checkpoints: string[] = []
  for (const sessionKey of ['s1', 's2', 's3', 's4']) {
    const { id } = await transcripts.saveCheckpoint(db, { ...checkpoint, sessionKey, project: 'p' })
    checkpoints.unshift(id)
    if (sessionKey !== 's2') host.advance(1000)
  }
  const list = async (limit: number) =>
    (await readProjectCheckpoints(needs, ada, { project: 'p', limit })).map(({ id }) => id)

  expect(await list(10)).toEqual(checkpoints)
  expect(await list(3)).toEqual(checkpoints.slice(0, 3))
})

onEachEngine('redacts credential formats that were unknown at write time', async (db) => {
  const { transcripts, needs } = transcriptsFor(db)
  const { id } = await transcripts.saveCheckpoint(db, checkpoint)
  const digest = `DB_PASSWORD=${'aB3dE5fG7h'}`
  await tables(db)
    .updateTable('sessionCheckpoints')
    .set({ digest: digest as CleanText })
    .where('id', '=', id)
    .execute()

  expect(await readSessionCheckpoints(needs, ada, 's1')).toMatchObject([
    { digest: 'DB_PASSWORD=[REDACTED]' },
  ])
})
