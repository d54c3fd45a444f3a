import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { toNode } from './schemas.ts'
import { listSummaries } from './store/summaries.ts'
import { condense, expandSummary } from './summaries.ts'
import type { Summary } from './summary.ts'
import { onEachEngine, transcriptsFor } from './transcripts.fixture.ts'

const session = (number: number, more: Partial<Summary> = {}): Summary => {
  const at = new Date(Date.UTC(2026, 0, 1, number)).toISOString()
  return {
    agentId: 'ada',
    id: `s${number}`,
    project: 'apollo',
    depth: 0,
    kind: 'session',
    content: toCleanText(`Session ${number}\nwent well.`),
    tokenCount: 3,
    earliestAt: at,
    latestAt: at,
    sessionKey: `s${number}`,
    harness: 'codex',
    sourceType: 'transcript',
    sourceRef: null,
    metaJson: null,
    createdAt: at,
    ...more,
  }
}

async function saveSessions(db: Db, numbers: readonly number[]) {
  const { needs, transcripts } = transcriptsFor(db)
  for (const number of numbers) {
    await transcripts.saveSummary(db, session(number))
    await condense(needs, db, session(number))
  }
  return needs
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

onEachEngine('condenses eight sessions into an arc and four arcs into an epoch', async (db) => {
  const listed = async (depth: number) =>
    listSummaries(db, { agentId: 'ada', depth }, { limit: 50, offset: 0 })
  const needs = await saveSessions(db, range(1, 7))
  expect(await listed(1)).toEqual([])

  await saveSessions(db, [8])
  const [arc] = await listed(1)
  expect(arc).toMatchObject({
    kind: 'arc',
    project: 'apollo',
    sourceType: 'condensation',
    sessionKey: null,
    earliestAt: session(1).earliestAt,
    latestAt: session(8).latestAt,
  })
  expect(arc?.content.split('\n')).toHaveLength(8)
  expect(arc?.content).toMatch(/^- 2026-01-01: Session 1 went well\.\n/)
  expect(await listed(2)).toEqual([])

  await saveSessions(db, range(9, 32))
  expect(await listed(1)).toHaveLength(4)
  const [epoch] = await listed(2)
  const request = { id: epoch?.id ?? '', includeTranscript: true, transcriptCharLimit: 2_000 }
  expect(await expandSummary(needs, callerFor('ada'), request)).toMatchObject({
    node: { kind: 'epoch', depth: 2 },
    parents: [],
    transcript: null,
    children: [arc && toNode(arc), {}, {}, {}],
  })
})

onEachEngine('condenses each node once and within its project', async (db) => {
  const needs = await saveSessions(db, range(1, 8))
  const { transcripts } = transcriptsFor(db)
  const late = { latestAt: '2026-02-01T00:00:00.000Z' }
  await transcripts.saveSummary(db, session(1, late))
  for (const number of range(11, 17)) await transcripts.saveSummary(db, session(number))
  for (const number of range(21, 28))
    await transcripts.saveSummary(db, session(number, { project: null }))

  await condense(needs, db, session(17))
  await condense(needs, db, session(28, { project: null }))

  expect(
    await listSummaries(db, { agentId: 'ada', depth: 1 }, { limit: 9, offset: 0 }),
  ).toHaveLength(1)
})
