import { expect } from 'vitest'
import type { EvidenceChange } from '../../kernel/capability/capability.ts'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { forget, recover } from './forget.ts'
import { countRows, memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { remember } from './remember.ts'
import { findMemory } from './store/memories.ts'
import { purgeAgent } from './store/purge.ts'
import { sweepExpired } from './sweep.fixture.ts'

const ada = callerFor('ada')
const bob = callerFor('bob')
const removal = { reason: 'a test', force: false }

async function openSummary(db: Db) {
  const { needs, announced } = memoryNeeds(db)
  const first = (await remember(needs, ada, plain('the heron stands'))).memory.id
  const second = (await remember(needs, ada, plain('the egret flies'))).memory.id
  const derived = { ...plain('herons stand, egrets fly'), derivedFrom: [first, second] }
  const summary = (await remember(needs, ada, derived)).memory.id
  const read = () => findMemory(db, summary)
  return { needs, announced, first, second, summary, derived, read }
}

onEachEngine(
  'a derived memory is forgotten with a source and returns with all of them',
  async (db) => {
    const { needs, announced, first, second, summary, read } = await openSummary(db)

    await forget(needs, ada, { ...removal, id: first })
    expect(await read()).toMatchObject({
      deletedAt: expect.any(String),
      reviewAfter: expect.any(String),
    })
    expect(announced).toContainEqual(['memory.forgotten', expect.objectContaining({ id: summary })])
    await expect(recover(needs, ada, { id: summary, reason: 'x' })).rejects.toMatchObject({
      code: 'source_forgotten',
    })
    await forget(needs, ada, { ...removal, id: second })
    await recover(needs, ada, { id: first, reason: 'x' })
    expect((await read())?.deletedAt).not.toBeNull()
    await recover(needs, ada, { id: second, reason: 'x' })
    expect(await read()).toMatchObject({ deletedAt: null, reviewAfter: expect.any(String) })
  },
)

onEachEngine('a derived memory that its agent forgot stays forgotten', async (db) => {
  const { needs, first, summary, read } = await openSummary(db)
  await forget(needs, ada, { ...removal, id: summary })
  const later = { ...needs, host: fixedHost('2026-01-05T03:04:05.000Z') }

  await forget(later, ada, { ...removal, id: first })
  await recover(later, ada, { id: first, reason: 'x' })

  expect((await read())?.deletedAt).not.toBeNull()
})

onEachEngine('a derived memory that was saved again stays forgotten', async (db) => {
  const { needs, first, derived, read } = await openSummary(db)
  await forget(needs, ada, { ...removal, id: first })
  await remember(needs, ada, plain(derived.content))

  await recover(needs, ada, { id: first, reason: 'x' })

  expect((await read())?.deletedAt).not.toBeNull()
})

onEachEngine('a forgotten memory is no source', async (db) => {
  const { needs, first } = await openSummary(db)
  await forget(needs, ada, { ...removal, id: first })

  await expect(
    remember(needs, ada, { ...plain('herons are still'), derivedFrom: [first] }),
  ).rejects.toMatchObject({ code: 'source_forgotten' })
})

onEachEngine('dependants follow a derived memory, and a purge takes it along', async (db) => {
  const { needs: plainNeeds, first, summary, read } = await openSummary(db)
  const seen: unknown[] = []
  const record =
    (event: string) =>
    async (_: unknown, { ids }: EvidenceChange) => {
      seen.push([event, ids.toSorted()])
    }
  const dependant = {
    forgotten: record('forgotten'),
    recovered: record('recovered'),
    purged: record('purged'),
  }
  const needs = { ...plainNeeds, evidenceDependants: { list: () => [dependant] } }

  await forget(needs, ada, { ...removal, id: first })
  await sweepExpired({ ...needs, host: fixedHost('2026-03-02T03:04:05.000Z') })

  expect(seen).toEqual([
    ['forgotten', [first]],
    ['forgotten', [summary]],
    ['purged', [first, summary].toSorted()],
  ])
  expect(await read()).toBeUndefined()
  expect(await countRows(db, 'memorySources')).toBe(0)
})

onEachEngine(
  'the purge of an agent takes along what others derived from its memories',
  async (db) => {
    const { needs, first } = await openSummary(db)
    const other = (
      await remember(needs, bob, { ...plain('ada saw a heron'), derivedFrom: [first] })
    ).memory.id

    const derived = await transaction(db, (db) =>
      purgeAgent(db, { agentId: 'ada', at: '2026-01-02T03:04:05.000Z' }),
    )

    expect(derived.map(({ id }) => id)).toContain(other)
    expect(await findMemory(db, other)).toBeUndefined()
  },
)
