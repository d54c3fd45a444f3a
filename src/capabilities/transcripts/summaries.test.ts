import { expect } from 'vitest'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { linkChildren, linkMemories } from './store/summaries.ts'
import { expandSummary, readSummaries } from './summaries.ts'
import type { Summary } from './summary.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const ada = callerFor('ada')
const all = { limit: 50, offset: 0 }
const expandOptions = { includeTranscript: true, transcriptCharLimit: 2_000 }

const node = (id: string, more: Partial<Summary> = {}): Summary => ({
  agentId: 'ada',
  id,
  project: 'apollo',
  depth: 0,
  kind: 'session',
  content: toCleanText(`about ${id}`),
  tokenCount: 3,
  earliestAt: '2026-01-01T00:00:00.000Z',
  latestAt: `2026-01-0${id.length}T00:00:00.000Z`,
  sessionKey: null,
  harness: null,
  sourceType: 'summary',
  sourceRef: null,
  metaJson: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
})

onEachEngine('lists summaries by time within agent, project and depth', async (db) => {
  const { transcripts, needs } = transcriptsFor(db)
  for (const one of [
    node('a'),
    node('bb', { project: null }),
    node('ccc', { depth: 1, kind: 'arc' }),
    node('dddd', { agentId: 'bob' }),
  ])
    await transcripts.saveSummary(db, one)
  await linkChildren(db, { agentId: 'ada', id: 'ccc' }, ['a', 'bb'])
  const ids = async (more: object) =>
    (await readSummaries(needs, ada, { ...all, ...more })).summaries.map(({ id }) => id)

  expect(await ids({})).toEqual(['ccc', 'bb', 'a'])
  expect(await ids({ project: 'apollo' })).toEqual(['ccc', 'a'])
  expect(await ids({ depth: 1 })).toEqual(['ccc'])
  expect(await ids({ limit: 1, offset: 1 })).toEqual(['bb'])
  expect(await readSummaries(needs, ada, { ...all, limit: 0 })).toEqual({ summaries: [], total: 3 })
  const { summaries } = await readSummaries(needs, ada, all)
  expect(summaries.map(({ childCount }) => childCount)).toEqual([2, 0, 0])
})

onEachEngine('expands a summary to parents, children and sources', async (db) => {
  const memory = {
    id: 'm1',
    content: 'a memory',
    type: 'fact',
    createdAt: '2026-01-01T00:00:00.000Z',
    deleted: false,
    superseded: false,
  }
  const { transcripts, needs } = transcriptsFor(db, {
    readMemories: async (_caller, ids) => [memory].filter(({ id }) => ids.includes(id)),
  })
  const transcript = `User: ${'long '.repeat(200)}`
  const read = await transcripts.readInput({ harness: 'codex', transcript })
  await transcripts.saveSnapshot(db, { ...session, read, complete: true })
  await transcripts.saveSummary(db, node('a', { sessionKey: 's1' }))
  await transcripts.saveSummary(db, node('arc', { depth: 1, kind: 'arc' }))
  await linkChildren(db, { agentId: 'ada', id: 'arc' }, ['a'])
  await linkMemories(db, { agentId: 'ada', id: 'a' }, ['m1'])

  const expanded = await expandSummary(needs, ada, {
    ...expandOptions,
    id: 'a',
    transcriptCharLimit: 200,
  })

  expect(expanded).toMatchObject({
    node: { id: 'a' },
    parents: [{ id: 'arc' }],
    children: [],
    linkedMemories: [memory],
    transcript: { sessionKey: 's1', harness: 'codex' },
  })
  expect(expanded.transcript?.content).toHaveLength(400)
  expect(expanded.transcript?.excerpt.length).toBeLessThanOrEqual(420)
  const arc = { ...expandOptions, id: 'arc', includeTranscript: false }
  expect(await expandSummary(needs, ada, arc)).toMatchObject({
    children: [{ id: 'a' }],
    transcript: null,
  })
})

onEachEngine('hides summaries of other agents and projects', async (db) => {
  const { transcripts, needs } = transcriptsFor(db)
  await transcripts.saveSummary(db, node('a'))
  const inGemini = { ...ada, scope: { project: 'gemini' } }

  for (const caller of [callerFor('bob'), inGemini])
    await expect(expandSummary(needs, caller, { ...expandOptions, id: 'a' })).rejects.toMatchObject(
      {
        kind: 'not_found',
        message: 'summary node not found',
      },
    )
})

onEachEngine('limits linked memories and redacts credentials', async (db) => {
  const { transcripts, needs } = transcriptsFor(db, {
    readMemories: async (_caller, ids) =>
      ids.map((id) => ({
        id,
        content: '',
        type: 'fact',
        createdAt: '',
        deleted: false,
        superseded: false,
      })),
  })
  const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
  await transcripts.saveSummary(db, node('a', { content: toCleanText(`about ${token}`) }))
  const ids = Array.from({ length: 30 }, (_, index) => `m${index}`)
  await linkMemories(db, { agentId: 'ada', id: 'a' }, ids)

  const expanded = await expandSummary(needs, ada, { ...expandOptions, id: 'a' })

  expect(expanded.node.content).toBe('about [REDACTED]')
  expect(expanded.linkedMemories).toHaveLength(25)
})
