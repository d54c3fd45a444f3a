import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { runRepair } from '../../kernel/testing/run-repair.ts'
import { knowledgeKit, memorySource, onEachEngine } from './knowledge.fixture.ts'

onEachEngine(
  'memories are linked to the entities that they name, and none is created',
  async (db) => {
    const { knowledge, memory, run } = knowledgeKit(db)
    const save = (content: string) =>
      memory.remember(callerFor('ada'), { content, visibility: 'global' })
    await run((operation, write) => write.upsertEntity(operation, { name: 'Fernhill' }), {
      sources: [memorySource('m1')],
    })
    await save('Fernhill has two doors.')
    await save('The kettle is in the kitchen.')
    const relink = (dryRun: boolean) =>
      runRepair(db, knowledge.repairs, {
        name: 'relink-entities',
        input: { agentId: 'ada' },
        dryRun,
      })

    expect(await relink(true)).toMatchObject({
      affected: 1,
      counts: { processed: 2, linked: 1, entities: 1 },
      details: { remaining: 2, projectedRemaining: 1 },
    })
    expect(await relink(false)).toMatchObject({ affected: 1, details: { remaining: 1 } })
    expect(await relink(false)).toMatchObject({ affected: 0, counts: { processed: 1, linked: 0 } })
  },
)
