import { expect } from 'vitest'
import { engineOf } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { knowledgeKit, onEachEngine, putClaim } from '../knowledge.fixture.ts'
import { createSourceGraph } from '../source-graph/source-graph.ts'
import { createEmptyGraphs } from './empty-graphs.ts'

const readScope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null } as const

onEachEngine(
  'recall finds an entity that is created after a recall of an empty graph',
  async (db) => {
    const { knowledge, run } = knowledgeKit(db)
    const request = { readScope, limit: 10 }
    const namesOf = async () => {
      const { entities } = await knowledge.graphSource.search('orchard', request)
      return entities.map(({ name }) => name)
    }
    expect(await namesOf()).toEqual([])

    await run((operation, write) =>
      putClaim(operation, write, { entity: 'Orchard', key: 'saw', value: 'bow saw' }),
    )

    expect(await namesOf()).toEqual(['Orchard'])
  },
)

onEachEngine('a graph with the document of a source is not empty', async (db) => {
  const emptyGraphs = createEmptyGraphs(db)
  const { erasures } = knowledgeKit(db).knowledge
  const sourceGraph = createSourceGraph({ emptyGraphs, erasures })
  await emptyGraphs.has('ada')
  const rows = {
    name: 'Orchard',
    sourceKind: 'source_notes_vault_markdown',
    sourceRoot: '/notes',
    group: 'notes_vault',
    parentPaths: [],
    sections: [],
    names: [],
    links: [],
    at: '2026-01-01T00:00:00.000Z',
  }
  const document = { agentId: 'ada', sourceId: 's1', path: 'orchard.md', generation: 'g1', rows }

  await transaction(db, (own) => sourceGraph.replacePaths(own, [document]))

  expect(await emptyGraphs.has('ada')).toBe(false)
})

onEachEngine('a read that begins before a commit is not cached after it', async (db) => {
  const { run } = knowledgeKit(db)
  const emptyGraphs = createEmptyGraphs(db)
  const early = emptyGraphs.has('ada')

  emptyGraphs.invalidate(db, 'ada')
  await early
  await run((operation, write) =>
    putClaim(operation, write, { entity: 'Orchard', key: 'saw', value: 'bow saw' }),
  )

  expect(await emptyGraphs.has('ada')).toBe(false)
})

onEachEngine('only the owner of a file caches an empty graph', async (db) => {
  const emptyGraphs = createEmptyGraphs(db)

  expect(await emptyGraphs.has('ada')).toBe(engineOf(db) === 'sqlite')
})
