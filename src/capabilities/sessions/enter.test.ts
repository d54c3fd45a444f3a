import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { endSession } from './end.ts'
import { enterSession } from './enter.ts'
import { listSessions } from './list.ts'
import { listPresence, recordPresence } from './presence.ts'
import { enterRequest, onEachEngine, one, sessionsNeeds } from './sessions.fixture.ts'

const minuteMs = 60_000
const lifetimeMs = 240 * minuteMs
const noWork = async () => {}
const endRequest = { ...one, runtimePath: null, endMarker: 'plugin' } as const

onEachEngine('one of two concurrent claims wins and is present', async (db) => {
  const needs = await sessionsNeeds(db)
  const paths = ['plugin', 'legacy', 'plugin', 'legacy', 'legacy', 'plugin'] as const
  const attempts = paths.map((runtimePath) =>
    enterRequest({
      runtimePath,
      harness: `of-${runtimePath}`,
      project: runtimePath,
      announcePresence: true,
    }),
  )

  const entered = await Promise.all(attempts.map((attempt) => enterSession(needs, attempt)))

  const [session, ...others] = await listSessions(needs, callerFor('ada'))
  const owner = session?.runtimePath
  expect(others).toEqual([])
  for (const [at, path] of paths.entries())
    expect(entered[at]).toMatchObject(
      path === owner ? { status: 'entered' } : { status: 'refused', claimedBy: owner },
    )
  const allSessions = { sessionKey: undefined, project: undefined, includeSelf: true, limit: 10 }
  expect(await listPresence(needs, callerFor('ada'), allSessions)).toMatchObject([
    { runtimePath: owner, harness: `of-${owner}`, project: owner },
  ])
})

onEachEngine('a path renews its claim, and a call without a path is accepted', async (db) => {
  const needs = await sessionsNeeds(db)

  expect(await enterSession(needs, enterRequest())).toMatchObject({ existedBefore: false })
  needs.host.advance(lifetimeMs - minuteMs)
  expect(await enterSession(needs, enterRequest({ runtimePath: null }))).toMatchObject({
    existedBefore: true,
  })
  expect(await enterSession(needs, enterRequest())).toMatchObject({
    existedBefore: true,
    warnings: [],
  })
  needs.host.advance(lifetimeMs - minuteMs)

  expect(await enterSession(needs, enterRequest({ runtimePath: 'legacy' }))).toEqual({
    status: 'refused',
    claimedBy: 'plugin',
  })
})

onEachEngine('a refused path records nothing', async (db) => {
  const needs = await sessionsNeeds(db)
  const presenceRequest = enterRequest({ announcePresence: true, project: '/p' })
  await enterSession(needs, presenceRequest)
  const before = await listSessions(needs, callerFor('ada'))
  needs.host.advance(minuteMs)

  expect(
    await enterSession(needs, { ...presenceRequest, runtimePath: 'legacy', project: '/elsewhere' }),
  ).toMatchObject({ status: 'refused' })

  expect(await listSessions(needs, callerFor('ada'))).toEqual(before)
})

onEachEngine('an expired claim passes to the next caller after its session closes', async (db) => {
  const needs = await sessionsNeeds(db)
  await enterSession(needs, enterRequest())
  needs.host.advance(lifetimeMs)

  expect(await enterSession(needs, enterRequest({ runtimePath: 'legacy' }))).toMatchObject({
    status: 'entered',
    existedBefore: false,
  })
  expect(await listSessions(needs, callerFor('ada'))).toMatchObject([{ runtimePath: 'legacy' }])
})

onEachEngine('warns once of an expiring claim', async (db) => {
  const needs = await sessionsNeeds(db)
  await enterSession(needs, enterRequest())
  needs.host.advance(lifetimeMs - 20 * minuteMs)
  const enterWithoutPath = () => enterSession(needs, enterRequest({ runtimePath: null }))

  expect(await enterWithoutPath()).toMatchObject({
    warnings: [expect.stringContaining('expires at')],
  })
  expect(await enterWithoutPath()).toMatchObject({ warnings: [] })
})

onEachEngine('one of eight concurrent ends runs, and the others are repeats', async (db) => {
  const needs = await sessionsNeeds(db)
  await enterSession(needs, enterRequest())
  let finished = 0
  const end = () =>
    endSession(needs, endRequest, async () => {
      finished += 1
    })

  const ended = await Promise.all(Array.from({ length: 8 }, end))

  expect(finished).toBe(1)
  expect(ended.filter(({ status }) => status === 'ended')).toHaveLength(1)
  expect(ended.filter(({ status }) => status === 'repeated')).toHaveLength(7)
  expect(await listSessions(needs, callerFor('ada'))).toEqual([])
})

onEachEngine('a failed end rolls back and can be retried', async (db) => {
  const needs = await sessionsNeeds(db)
  await enterSession(needs, enterRequest())
  const fail = async () => {
    throw new Error('no')
  }

  await expect(endSession(needs, endRequest, fail)).rejects.toThrow('no')

  expect(await listSessions(needs, callerFor('ada'))).toHaveLength(1)
  expect(await endSession(needs, endRequest, noWork)).toEqual({ status: 'ended' })
})

onEachEngine('an ended session can be claimed again, and ended after half an hour', async (db) => {
  const needs = await sessionsNeeds(db)
  const other = { ...endRequest, runtimePath: 'legacy', endMarker: 'legacy' } as const
  await enterSession(needs, enterRequest())

  expect(await endSession(needs, other, noWork)).toEqual({
    status: 'refused',
    claimedBy: 'plugin',
  })
  expect(await endSession(needs, endRequest, noWork)).toEqual({ status: 'ended' })
  expect(await endSession(needs, other, noWork)).toEqual({
    status: 'repeated',
    endedBy: 'plugin',
  })
  needs.host.advance(30 * minuteMs)
  expect(await endSession(needs, other, noWork)).toEqual({ status: 'ended' })
  expect(await enterSession(needs, enterRequest({ runtimePath: 'legacy' }))).toMatchObject({
    status: 'entered',
    existedBefore: false,
  })
})

onEachEngine('the same key under two agents is two sessions', async (db) => {
  const needs = await sessionsNeeds(db)

  await enterSession(needs, enterRequest())
  expect(
    await enterSession(needs, enterRequest({ agentId: 'bob', runtimePath: 'legacy' })),
  ).toMatchObject({ status: 'entered', existedBefore: false })

  expect(await listSessions(needs, callerFor('bob'))).toMatchObject([{ runtimePath: 'legacy' }])
})

onEachEngine('a claim and a presence of one key are listed as one session', async (db) => {
  const needs = await sessionsNeeds(db)
  const seen = { agentId: 'ada', harness: 'codex', project: '/p', runtimePath: null, provider: 'x' }
  await enterSession(needs, enterRequest())
  await recordPresence(needs, { ...seen, sessionKey: 'one' })
  await recordPresence(needs, { ...seen, sessionKey: 'two' })
  await recordPresence(needs, { ...seen, sessionKey: null })

  const sessions = await listSessions(needs, callerFor('ada'))

  expect(sessions.map(({ sessionKey }) => sessionKey).toSorted()).toEqual(['one', 'two'])
  expect(sessions).toContainEqual(
    expect.objectContaining({ sessionKey: 'two', runtimePath: 'unknown', expiresAt: null }),
  )
  expect(sessions).toContainEqual(
    expect.objectContaining({ sessionKey: 'one', runtimePath: 'plugin', project: '/p' }),
  )
})
