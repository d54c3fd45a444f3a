import { expect } from 'vitest'
import { knowledgeKit, memorySource, onEachEngine, putClaim } from '../knowledge.fixture.ts'
import { findDegrees, saveDegrees } from '../store/degrees.ts'
import { dampenHubs } from './dampen-hubs.ts'

/** Sets a value of the orchard, with memories as its evidence. */
const createPut =
  ({ run }: ReturnType<typeof knowledgeKit>) =>
  (key: string, value: string, ...memoryIds: string[]) =>
    run(
      (operation, write) =>
        putClaim(operation, write, { entity: 'Orchard', key, value, mode: 'set' }),
      { sources: memoryIds.map((id) => memorySource(id)) },
    )

const readScope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null } as const

onEachEngine(
  'a named entity is described with its best values, for its agent alone',
  async (db) => {
    const kit = knowledgeKit(db)
    for (let number = 0; number < 7; number += 1)
      await kit.run((operation, write) =>
        putClaim(operation, write, { entity: 'Orchard', key: `k${number}`, value: `v${number}` }),
      )
    const describe = async (scope: object, query: string) => {
      const request = { readScope: { ...readScope, ...scope }, limit: 10 }
      return (await kit.knowledge.graphSource.search(query, request)).entities
    }

    const [orchard, ...rest] = await describe({}, 'What about the orchard?')

    expect(rest).toEqual([])
    expect(orchard).toMatchObject({ name: 'Orchard', isExact: true })
    expect(orchard?.aspects.flatMap(({ attributes }) => attributes)).toHaveLength(5)
    expect(await describe({ agentId: 'bob' }, 'orchard')).toEqual([])
    expect(await describe({ project: 'p' }, 'orchard')).toEqual([])
  },
)

onEachEngine('a memory is current while its claims are', async (db) => {
  const kit = knowledgeKit(db)
  const put = createPut(kit)
  await put('saw', 'bow saw', 'm1')
  await put('ladder', 'oak', 'm2')
  await put('hoe', 'iron', 'm2')
  await put('saw', 'pruning saw', 'm3')
  await put('hoe', 'steel', 'm3')
  const { listCurrentness } = kit.knowledge.graphSource

  const states = await listCurrentness?.(readScope, ['m1', 'm2', 'm3', 'm4'])

  expect([...(states ?? [])].toSorted()).toEqual([
    ['m1', 'superseded'],
    ['m2', 'partly'],
    ['m3', 'current'],
  ])
  expect((await listCurrentness?.({ ...readScope, agentId: 'bob' }, ['m1']))?.size).toBe(0)
})

onEachEngine(
  'the memories of the current claim succeed those of the claims before it',
  async (db) => {
    const kit = knowledgeKit(db)
    const put = createPut(kit)
    await put('saw', 'bow saw', 'm1')
    await put('ladder', 'oak', 'm2')
    await put('saw', 'pruning saw', 'm3')
    await put('saw', 'chain saw', 'm4')
    const { listSuccessors } = kit.knowledge.graphSource

    const found = await listSuccessors?.(readScope, ['m1', 'm2', 'm3', 'm4'])

    expect([...(found ?? [])].toSorted()).toEqual([
      ['m1', ['m4']],
      ['m3', ['m4']],
    ])
    expect((await listSuccessors?.({ ...readScope, agentId: 'bob' }, ['m1']))?.size).toBe(0)
    expect((await listSuccessors?.({ ...readScope, project: 'p' }, ['m1']))?.size).toBe(0)
  },
)

onEachEngine(
  'a chain of claims is followed through a claim whose memory is forgotten',
  async (db) => {
    const kit = knowledgeKit(db)
    const put = createPut(kit)
    await put('saw', 'bow saw', 'm1')
    await put('saw', 'pruning saw', 'm2')
    await put('saw', 'chain saw', 'm3')
    await kit.follow('forgotten', 'm2')
    const { listSuccessors } = kit.knowledge.graphSource

    expect([...((await listSuccessors?.(readScope, ['m1'])) ?? [])]).toEqual([['m1', ['m3']]])
    await kit.follow('forgotten', 'm3')
    expect((await listSuccessors?.(readScope, ['m1']))?.size).toBe(0)
  },
)

onEachEngine(
  'a long chain of claims with several memories each reads each claim once',
  async (db) => {
    const kit = knowledgeKit(db)
    const put = createPut(kit)
    await put('saw', 'saw 0', 'm0')
    for (let number = 1; number <= 12; number += 1)
      await put('saw', `saw ${number}`, ...['a', 'b', 'c', 'd'].map((part) => `m${number}${part}`))
    const { listSuccessors } = kit.knowledge.graphSource

    const successors = await listSuccessors?.(readScope, ['m0', 'm5c'])

    for (const id of ['m0', 'm5c'])
      expect(successors?.get(id)?.toSorted()).toEqual(['m12a', 'm12b', 'm12c', 'm12d'])
  },
)

onEachEngine('memories about hubs alone weigh less in a graph of some size', async (db) => {
  const kit = knowledgeKit(db)
  const link = async (count: number, start: number) => {
    for (let number = start; number < start + count; number += 1)
      await kit.run(
        async (operation, write) => {
          const { entity: source } = await putClaim(operation, write, {
            entity: 'Harbour',
            value: 'deep',
          })
          const { entity: target } = await putClaim(operation, write, {
            entity: `Boat ${number}`,
            value: 'red',
          })
          await write.createLink(operation, { source, target, type: 'uses', strength: 0.5 })
        },
        { sources: [memorySource(`m${number}`)] },
      )
  }
  const dampen = async () => {
    await saveDegrees(db, '2026-01-01T00:00:00.000Z')
    const hits = [
      { id: 'hub', score: 1 },
      { id: 'm7', score: 1 },
    ]
    const degrees = await findDegrees(db, 'ada')
    return degrees && (await dampenHubs(db, 'ada', { hits, degrees })).map(({ score }) => score)
  }
  await kit.run(
    (operation, write) => putClaim(operation, write, { entity: 'Harbour', value: 'deep' }),
    {
      sources: [memorySource('hub')],
    },
  )
  await link(5, 0)
  expect(await dampen()).toEqual([1, 1])
  // Some boats have a second link, so that only the harbour is at the highest degrees.
  await link(18, 5)
  await kit.run(async (operation, write) => {
    for (const [from, to] of [
      ['Boat 1', 'Boat 2'],
      ['Boat 3', 'Boat 4'],
    ] as const) {
      const source = await write.selectEntity(operation.db, 'ada', { name: from })
      const target = await write.selectEntity(operation.db, 'ada', { name: to })
      await write.createLink(operation, { source, target, type: 'uses', strength: 0.5 })
    }
  })
  expect(await dampen()).toEqual([0.7, 1])
})
