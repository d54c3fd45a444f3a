import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { listOfProject, listOfSession } from './checkpoints.ts'
import { makeFolder, onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const ada = callerFor('ada')
const checkpoint = {
  ...{ ...session, digest: 'a digest', promptCount: 3, keepAtMost: 2 },
  trigger: 'periodic' as const,
}

onEachEngine('the latest checkpoints of a session stay, without what is secret', async (db) => {
  const { transcripts, needs } = transcriptsFor(db)
  const digest = `Bearer ${'aB3dE5fG7h'.repeat(3)}`
  for (const recentRemembers of [['one'], ['two'], ['three']])
    await transcripts.keepCheckpoint(db, { ...checkpoint, digest, recentRemembers })

  const kept = await listOfSession(needs, ada, 's1')

  expect(kept).toMatchObject([{ recentRemembers: '["three"]' }, { recentRemembers: '["two"]' }])
  expect(kept[0]?.digest).toBe('Bearer [REDACTED]')
  expect(await listOfSession(needs, callerFor('bob'), 's1')).toEqual([])
})

onEachEngine('a project is known by its real path, and by its name', async (db) => {
  const { transcripts, needs } = transcriptsFor(db)
  const folder = makeFolder()
  const link = join(makeFolder(), 'link')
  symlinkSync(folder, link)
  await transcripts.keepCheckpoint(db, { ...checkpoint, project: link })
  await transcripts.keepCheckpoint(db, { ...checkpoint, sessionKey: 's2', project: 'apollo' })
  const count = async (project: string) =>
    (await listOfProject(needs, ada, { project, limit: 10 })).length

  expect([await count(link), await count(folder), await count('apollo')]).toEqual([1, 1, 1])
  expect(await count('gemini')).toBe(0)
})
