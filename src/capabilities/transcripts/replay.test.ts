import { expect } from 'vitest'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import type { SessionEventSource } from './needs.ts'
import { listSessionActivity, replaySession } from './replay.ts'
import type { SessionEvent } from './replay-schemas.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const ada = callerFor('ada')
const recalledAt = '2026-01-02T03:00:00.000Z'

const recalled: SessionEvent = {
  id: 'context:1',
  kind: 'context.recalled',
  at: recalledAt,
  title: 'Recalled',
  detail: '',
  refs: [{ kind: 'memory', id: 'm1', label: 'm1' }],
  payload: {},
}

/** Contributes one recall in session s1 of ada, without a project. */
const recall: SessionEventSource = {
  countEvents: async (_db, { agentId, project, includeUnscoped }, { keys = ['s1'] }) =>
    agentId === 'ada' && (project === undefined || includeUnscoped) && keys.includes('s1')
      ? [{ sessionKey: 's1', project: null, lastAt: recalledAt, count: 1 }]
      : [],
  listEvents: async (_db, { agentId, sessionKey, project, includeUnscoped }) =>
    agentId === 'ada' && sessionKey === 's1' && (project === undefined || includeUnscoped)
      ? [recalled]
      : [],
}

const gone = {
  id: 'm1',
  content: 'use tabs',
  type: 'fact',
  createdAt: recalledAt,
  deleted: true,
  superseded: false,
}
const more = { eventSources: () => [recall], readMemories: async () => [gone] }
const compaction = {
  ...session,
  kind: 'compaction' as const,
  body: toCleanText('What was done.'),
  project: 'apollo',
  capturedAt: '2026-01-02T03:04:05.000Z',
}

onEachEngine('lists recall and artifact events in chronological order', async (db) => {
  const { transcripts, needs } = transcriptsFor(db, more)
  await transcripts.saveArtifact(compaction)

  const { events, frame, sessionKey } = await replaySession(needs, ada, { sessionKey: 's1' })

  expect(sessionKey).toBe('s1')
  expect(events.map(({ kind }) => kind)).toEqual([
    'context.recalled',
    'artifact.written',
    'artifact.written',
  ])
  expect(events[0]?.refs).toEqual([
    { kind: 'memory', id: 'm1', label: 'use tabs', status: 'deleted' },
  ])
  expect(frame).toMatchObject({
    at: events[2]?.at,
    activeRefCount: 3,
    warnings: ['The memory m1 is deleted.'],
    likelyInfluences: [{ eventId: 'context:1', at: recalledAt }],
  })
  expect(await listSessionActivity(needs, ada, { limit: 10 })).toEqual([
    {
      sessionKey: 's1',
      agentId: 'ada',
      project: 'apollo',
      lastAt: events[2]?.at,
      recallEvents: 1,
      artifactEvents: 2,
    },
  ])
})

onEachEngine('includes unscoped events if the session has artifacts in the project', async (db) => {
  const { transcripts, needs } = transcriptsFor(db, more)
  await transcripts.saveArtifact(compaction)
  const count = async (project: string) =>
    (await replaySession(needs, ada, { sessionKey: 's1', project })).events.length

  expect(await count('apollo')).toBe(3)
  expect(await count('gemini')).toBe(0)
  expect(await listSessionActivity(needs, ada, { project: 'gemini', limit: 10 })).toEqual([])
  expect(await listSessionActivity(needs, ada, { project: 'apollo', limit: 10 })).toMatchObject([
    { recallEvents: 1, artifactEvents: 2 },
  ])
})

onEachEngine('returns nothing for an unknown session or another agent', async (db) => {
  const { transcripts, needs } = transcriptsFor(db, more)
  await transcripts.saveArtifact(compaction)

  for (const [caller, sessionKey] of [
    [ada, 'none'],
    [callerFor('bob'), 's1'],
  ] as const)
    expect(await replaySession(needs, caller, { sessionKey })).toMatchObject({
      events: [],
      frame: { at: null, activeRefCount: 0, warnings: [] },
    })
})

onEachEngine('returns only the latest events of a long session', async (db) => {
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString()
  const recorded = Array.from({ length: 600 }, (_, index): SessionEvent => {
    const refs = Array.from({ length: 10 }, (_, ref) => ({
      kind: 'memory' as const,
      id: `m${index}-${ref}`,
      label: '',
    }))
    return { ...recalled, id: `context:${index}`, at: at(index), refs }
  })
  const listEvents: SessionEventSource['listEvents'] = async (_db, _scope, limit) =>
    recorded.toReversed().slice(0, limit)
  const long = { ...gone, deleted: false, superseded: true, content: 'x'.repeat(200) }
  const { needs } = transcriptsFor(db, {
    eventSources: () => [{ ...recall, listEvents }],
    readMemories: async (_caller, ids) => ids.map((id) => ({ ...long, id })),
  })

  const { events, frame } = await replaySession(needs, ada, { sessionKey: 's1' })

  expect([events.length, events[0]?.at, events.at(-1)?.at]).toEqual([500, at(100), at(599)])
  expect(frame).toMatchObject({ at: at(599), activeRefCount: 5000 })
  expect(frame.activeRefs).toHaveLength(80)
  expect(frame.activeRefs[0]).toMatchObject({ label: 'x'.repeat(96), status: 'superseded' })
  expect(frame.likelyInfluences.map(({ at }) => at)).toEqual([599, 598, 597, 596, 595].map(at))
  expect(frame.likelyInfluences[0]).toEqual({
    eventId: 'context:599',
    at: at(599),
    reason: 'Recalled',
    refs: expect.objectContaining({ length: 8 }),
  })
  expect(frame.warnings[0]).toMatch(/^The memory m599-\d is superseded\.$/)
})
