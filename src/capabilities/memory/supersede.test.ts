import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { remember } from './remember.ts'
import { supersede } from './supersede.ts'

const ada = callerFor('ada')

onEachEngine('supersedes once and refuses cycles', async (db) => {
  const { needs } = memoryNeeds(db)
  const save = async (content: string, visibility: 'global' | 'private' = 'global') =>
    (await remember(needs, ada, { ...plain(content), visibility })).memory.id
  const [a, b, c, apart] = [
    await save('a'),
    await save('b'),
    await save('c'),
    await save('d', 'private'),
  ]
  const replace = (id: string, supersededBy: string) =>
    supersede(needs, ada, { id, supersededBy, reason: null })

  expect(await replace(a, b)).toMatchObject({ currentVersion: 1, newVersion: 2, idempotent: false })
  expect(await replace(a, b)).toMatchObject({ currentVersion: 2, newVersion: 2, idempotent: true })
  await replace(b, c)

  await expect(replace(a, c)).rejects.toMatchObject({ code: 'already_superseded' })
  await expect(replace(c, a)).rejects.toMatchObject({ code: 'supersede_cycle' })
  await expect(replace(c, c)).rejects.toMatchObject({ code: 'self_supersede', kind: 'invalid' })
  await expect(replace(c, apart)).rejects.toMatchObject({ code: 'scope_mismatch' })
  await expect(replace(c, 'missing')).rejects.toMatchObject({ code: 'target_not_found' })
  await expect(replace('missing', c)).rejects.toMatchObject({ code: 'not_found' })
})
