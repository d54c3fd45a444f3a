import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { createCleaningTasks } from './clean-stored.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { remember } from './remember.ts'
import { tables } from './store/rows.ts'

const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
const secret = `x ${key} <private>umbrage</private>`

onEachEngine('an upgrade cleans reasons, and names of fields of evidence', async (db) => {
  const { needs } = memoryNeeds(db)
  const { memory } = await remember(needs, callerFor('ada'), plain('The heron stands'))
  const { memory: other } = await remember(needs, callerFor('ada'), plain('The lark sings'))
  const evidence = JSON.stringify({ metadata: { [secret]: [{ [secret]: 1 }] }, plain: 'DB=rose' })
  await tables(db)
    .updateTable('memories')
    .set({ evidence, supersededReason: `${secret} PASSWORD=rosebud` as never })
    .where('id', '=', memory.id)
    .execute()
  await tables(db)
    .updateTable('memoryHistory')
    .set({ reason: `${secret} PASSWORD=rosebud` as never })
    .where('memoryId', '=', memory.id)
    .execute()
  const before = await tables(db).selectFrom('memories').selectAll().orderBy('id').execute()

  for (const task of createCleaningTasks(needs)) expect(await task.run(undefined)).toBe(undefined)

  const reason = 'x [REDACTED]  PASSWORD=[REDACTED]'
  const after = await tables(db).selectFrom('memories').selectAll().orderBy('id').execute()
  expect(after).toEqual(
    before.map((row) =>
      row.id === other.id
        ? row
        : {
            ...row,
            supersededReason: reason,
            evidence: JSON.stringify({
              metadata: { 'x [REDACTED] ': [{ 'x [REDACTED] ': 1 }] },
              plain: 'DB=rose',
            }),
          },
    ),
  )
  const history = await tables(db)
    .selectFrom('memoryHistory')
    .selectAll()
    .orderBy('position')
    .execute()
  expect(history.map((event) => event.reason)).toEqual([reason, null])
})

onEachEngine('under `off` credentials stay in memories, and reasons are cleaned', async (db) => {
  const needs = { ...memoryNeeds(db).needs, secretPolicy: () => 'off' as const }
  await remember(needs, callerFor('ada'), plain('The heron stands'))
  await tables(db)
    .updateTable('memories')
    .set({ evidence: JSON.stringify({ [secret]: secret }), supersededReason: secret as never })
    .execute()

  for (const task of createCleaningTasks(needs)) await task.run(undefined)

  expect(await tables(db).selectFrom('memories').selectAll().orderBy('id').execute()).toMatchObject(
    [
      {
        evidence: JSON.stringify({ [`x ${key} `]: `x ${key} ` }),
        supersededReason: 'x [REDACTED] ',
      },
    ],
  )
})
