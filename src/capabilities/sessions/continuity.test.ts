import { expect } from 'vitest'
import { transaction } from '../../kernel/db/transaction.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { readContinuity } from './analytics.ts'
import { checkpoint, recordActivity } from './continuity.ts'
import { finishSession, sweepSessions } from './end.ts'
import { enterSession } from './enter.ts'
import { enterRequest, onEachEngine, one, sessionsNeeds } from './sessions.fixture.ts'
import { countEnds, insertOfferedQuery, listLatestScores } from './store/scores.ts'
import { findWindow } from './store/windows.ts'

const ada = callerFor('ada')
const activitySession = { ...one, harness: 'codex', project: '/p' }
const hourMs = 3_600_000

const digests = async (needs: Awaited<ReturnType<typeof sessionsNeeds>>) =>
  needs.db
    .withTables<{ sessionCheckpoints: { triggerKind: string; digest: string } }>()
    .selectFrom('sessionCheckpoints')
    .select(['triggerKind', 'digest'])
    .execute()

onEachEngine('writes a checkpoint after ten prompts or fifteen minutes', async (db) => {
  const needs = await sessionsNeeds(db)

  for (let number = 1; number <= 9; number += 1)
    await recordActivity(needs, activitySession, { prompt: toCleanText(`p${number}`) })
  expect(await digests(needs)).toEqual([])
  await recordActivity(needs, activitySession, {
    prompt: toCleanText('the tenth'),
    terms: toCleanText('barn paint'),
  })
  await recordActivity(needs, activitySession, { remembered: toCleanText('the barn is red') })
  needs.host.advance(hourMs / 4 - 1)
  await recordActivity(needs, activitySession, { prompt: toCleanText('too soon') })
  expect(await digests(needs)).toHaveLength(1)
  needs.host.advance(1)
  await recordActivity(needs, activitySession, {
    prompt: toCleanText('much later, token=ghp_0123456789abcdefghij0123456789abcdef'),
  })

  const [first, second] = await digests(needs)
  expect(first).toMatchObject({ triggerKind: 'periodic' })
  expect(first?.digest).toContain('- the tenth')
  expect(first?.digest).toContain('Queries: barn paint')
  expect(second?.digest).toContain('Remembered: the barn is red')
  expect(second?.digest).not.toContain('ghp_')
})

onEachEngine('retains the configured number of checkpoints', async (db) => {
  const needs = await sessionsNeeds(db)
  const continuity = { ...needs.config().continuity, maxCheckpointsPerSession: 2 }
  const limited = { ...needs, config: () => ({ ...needs.config(), continuity }) }

  for (const prompt of ['first', 'second', 'third']) {
    await recordActivity(limited, activitySession, { prompt: toCleanText(prompt) })
    await checkpoint(limited, db, { id: one, trigger: 'agent', ends: true })
  }

  const lines = (await digests(needs)).map(({ digest }) => digest.match(/- (.*)$/)?.[1])
  expect(lines.toSorted()).toEqual(['second', 'third'])
})

onEachEngine('counts concurrent prompts', async (db) => {
  const needs = await sessionsNeeds(db)

  await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      recordActivity(needs, activitySession, { prompt: toCleanText(`p${number}`) }),
    ),
  )

  expect(await findWindow(db, one)).toMatchObject({ promptCount: 8 })
})

onEachEngine('writes no checkpoint without a prompt', async (db) => {
  const needs = await sessionsNeeds(db)
  await recordActivity(needs, activitySession, { remembered: toCleanText('only this') })

  await transaction(db, (db) =>
    checkpoint(needs, db, { id: one, trigger: 'pre_compaction', ends: false }),
  )

  expect(await digests(needs)).toEqual([])
  expect(await findWindow(db, one)).toBeDefined()
})

onEachEngine('an end saves the transcript, and scores the injected memories', async (db) => {
  const needs = await sessionsNeeds(db)
  const contents = ['The weathervane creaks in October', 'Jonas prefers linseed varnish']
  for (const [rank, content] of contents.entries()) {
    const { memory } = await needs.remember(ada, { content, visibility: 'global' })
    const offered = { ...one, memoryId: memory.id, rank: rank + 1, source: 'standing', score: 0.8 }
    await insertOfferedQuery(db, [
      { ...offered, wasInjected: true, createdAt: '2026-01-01' },
    ]).execute()
  }
  await recordActivity(needs, activitySession, { prompt: toCleanText('fix it') })
  const read = await needs.transcripts.readInput({
    harness: 'codex',
    transcript: 'User: why does the weathervane creaks in winter?\nAssistant: It is October rust.',
  })

  const finished = await transaction(db, (db) =>
    finishSession(needs, db, { ...activitySession, read }),
  )

  expect(finished.captureJobId).toMatch(/^tcj_/)
  expect(await digests(needs)).toMatchObject([{ triggerKind: 'session_end' }])
  expect(await findWindow(db, one)).toBeUndefined()
  const { scores, summary } = await readContinuity(needs, ada, { project: '/p', limit: 5 })
  expect(scores).toMatchObject([{ memories_recalled: 2, memories_used: 1, score: 0.35 }])
  expect(summary).toEqual({ count: 1, average: 0.35, trend: 0, latest: 0.35 })
  const latest = await listLatestScores(db, { agentId: 'ada', project: undefined, limit: 5 })
  expect(latest).toMatchObject([{ project: '/p', score: 0.35 }])
})

onEachEngine('a session without an end is finished from its stored rows', async (db) => {
  const needs = await sessionsNeeds(db)
  await enterSession(needs, enterRequest({ project: '/p', announcePresence: true }))
  await recordActivity(needs, activitySession, { prompt: toCleanText('and then nothing') })
  const turns = [{ role: 'user', text: 'and then nothing' }] as const
  await transaction(db, (db) => needs.transcripts.appendLive(db, { ...activitySession, turns }))
  needs.host.advance(4 * hourMs)

  expect(await sweepSessions(needs)).toBe(1)

  expect(await needs.transcripts.find(db, one)).toMatchObject({
    completedAt: expect.any(String),
    content: 'User: and then nothing',
  })
  expect((await readContinuity(needs, ada, { project: undefined, limit: 5 })).scores).toHaveLength(
    1,
  )
})

onEachEngine('counts the ends of one project or of all', async (db) => {
  const needs = await sessionsNeeds(db)
  for (const [sessionKey, project] of [
    ['one', 'alpha'],
    ['two', 'beta'],
    ['three', null],
  ] as const)
    await finishSession(needs, db, { agentId: 'ada', sessionKey, harness: 'codex', project })

  expect(await countEnds(db, { agentId: 'ada', project: 'alpha' }, '')).toBe(1)
  expect(await countEnds(db, { agentId: 'ada', project: null }, '')).toBe(3)
})
