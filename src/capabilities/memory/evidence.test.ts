import { expect } from 'vitest'
import type { EvidenceChange } from '../../kernel/capability/capability.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { forget, recover } from './forget.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { remember } from './remember.ts'
import { findMemory } from './store/memories.ts'
import { sweepExpired } from './sweep.fixture.ts'
import { updateMemory } from './update.ts'

const ada = callerFor('ada')

onEachEngine('dependants learn in the transaction what happens to a memory', async (db) => {
  const seen: unknown[] = []
  const record = (event: string) => async (_db: unknown, change: EvidenceChange) => {
    seen.push([event, change.agentId, change.kind, ...change.ids])
  }
  const dependant = {
    forgotten: record('forgotten'),
    recovered: record('recovered'),
    purged: record('purged'),
  }
  const { needs: plainNeeds } = memoryNeeds(db)
  const needs = { ...plainNeeds, evidenceDependants: { list: () => [dependant] } }
  const { id } = (await remember(needs, ada, plain('the heron stands'))).memory
  const request = { id, reason: 'a test' }

  await updateMemory(needs, ada, { ...request, pinned: false, importance: 0.1 })
  await forget(needs, ada, { ...request, force: false })
  await recover(needs, ada, request)
  await forget(needs, ada, { ...request, force: false })
  await sweepExpired({ ...needs, host: fixedHost('2026-03-02T03:04:05.000Z') })

  const events = ['forgotten', 'recovered', 'forgotten', 'purged']
  expect(seen).toEqual(events.map((event) => [event, 'ada', 'memory', id]))
})

onEachEngine('a dependant that fails keeps the memory', async (db) => {
  const fail = () => Promise.reject(new Error('no'))
  const dependant = { forgotten: fail, recovered: fail, purged: fail }
  const { needs: plainNeeds } = memoryNeeds(db)
  const needs = { ...plainNeeds, evidenceDependants: { list: () => [dependant] } }
  const { id } = (await remember(needs, ada, plain('the heron stands'))).memory

  await expect(forget(needs, ada, { id, reason: 'a test', force: false })).rejects.toThrow('no')
  expect(await findMemory(db, id)).toMatchObject({ deletedAt: null, version: 1 })
})
