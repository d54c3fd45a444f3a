import { expect } from 'vitest'
import { completeCompaction } from './complete-compaction.ts'
import { hook, hooksNeeds, onEachEngine } from './hooks.fixture.ts'

const nodesOf = (needs: Awaited<ReturnType<typeof hooksNeeds>>['needs']) =>
  needs.transcripts.listNodes(needs.db, { agentId: 'ada' }, 10)

onEachEngine('a compaction is a memory and a node, and its session is told anew', async (db) => {
  const { needs } = await hooksNeeds(db)

  const kept = await completeCompaction(needs, { hook: hook(), summary: 'We painted the barn.' })

  expect(kept).toEqual({ success: true, memoryId: expect.any(String), contextEpoch: 1 })
  expect(await nodesOf(needs)).toMatchObject([
    {
      id: `one:compaction:${needs.host.now().getTime()}`,
      ...{ depth: 0, kind: 'session', sourceType: 'compaction', sourceRef: 'one' },
      ...{ sessionKey: 'one', project: '/p', harness: 'codex', tokenCount: 5 },
    },
  ])
})

onEachEngine('a session has the summary of each of its compactions', async (db) => {
  const { needs } = await hooksNeeds(db)
  const compact = (summary: string) => completeCompaction(needs, { hook: hook(), summary })

  expect(await compact('We painted the barn.')).toMatchObject({ contextEpoch: 1 })
  expect(await compact('We mowed the meadow.')).toMatchObject({ contextEpoch: 2 })

  const source = { type: 'session_summary', sourceType: 'codex', sourceId: 'one' }
  const scope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null } as const
  const kept = await needs.memory.selection.listWeighty(db, scope, { types: undefined, limit: 9 })
  expect(kept.toSorted((a, b) => a.content.localeCompare(b.content))).toMatchObject([
    { content: 'We mowed the meadow.', ...source },
    { content: 'We painted the barn.', ...source },
  ])
})

onEachEngine('a compaction of no session is a memory and a node as well', async (db) => {
  const { needs } = await hooksNeeds(db)
  const nobody = hook({ sessionKey: undefined })

  const kept = await completeCompaction(needs, { hook: nobody, summary: 'We painted the barn.' })

  expect(kept).toEqual({ success: true, memoryId: expect.any(String) })
  expect(await nodesOf(needs)).toMatchObject([
    { sourceType: 'compaction', sessionKey: null, content: 'We painted the barn.' },
  ])
})

onEachEngine('a session that only tries something out leaves no memory', async (db) => {
  const { needs } = await hooksNeeds(db)
  const trial = hook({ project: '/projects/__fixtures__/tea' })

  expect(await completeCompaction(needs, { hook: trial, summary: 'Tried.' })).toMatchObject({
    memoryId: null,
  })
})
