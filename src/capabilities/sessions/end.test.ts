import { expect } from 'vitest'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { checkpoint, recordActivity } from './continuity.ts'
import { endSession, sweepSessions, wasEndedByHarness } from './end.ts'
import { bypassSession, enterSession, renewSession } from './enter.ts'
import { sessionEnded } from './events.ts'
import { findSession, listSessions } from './list.ts'
import { recordPresence } from './presence.ts'
import { hashSession } from './session.ts'
import { enterRequest, onEachEngine, one, sessionsNeeds } from './sessions.fixture.ts'
import { findClaim } from './store/claims.ts'

const hourMs = 3_600_000

onEachEngine('closes a session without renewal, and later deletes it', async (db) => {
  const needs = await sessionsNeeds(db)
  await enterSession(needs, enterRequest())
  needs.host.advance(3 * hourMs)
  await enterSession(needs, enterRequest({ sessionKey: 'young' }))

  expect(await sweepSessions(needs)).toBe(0)
  needs.host.advance(hourMs)
  expect(await sweepSessions(needs)).toBe(1)

  expect(await findClaim(db, one)).toMatchObject({
    state: 'ended',
    endMarker: 'stale-session-sweep',
  })
  expect(await listSessions(needs, callerFor('ada'))).toMatchObject([{ sessionKey: 'young' }])
  needs.host.advance(24 * hourMs)
  await sweepSessions(needs)
  expect(await findClaim(db, one)).toBeUndefined()
})

onEachEngine('a sweep closes at most its batch size', async (db) => {
  const needs = await sessionsNeeds(db)
  for (let number = 0; number < 12; number += 1)
    await enterSession(needs, enterRequest({ sessionKey: `s${number}` }))
  needs.host.advance(4 * hourMs)

  expect(await sweepSessions(needs)).toBe(10)
  expect(await sweepSessions(needs)).toBe(2)
})

onEachEngine('closes no session while twenty captures are pending', async (db) => {
  const needs = await sessionsNeeds(db)
  const capture = async (number: number) => {
    const session = { agentId: 'ada', sessionKey: `session${number}`, harness: 'codex' }
    const read = await needs.transcripts.readInput({ harness: 'codex', transcript: 'User: hi' })
    const saved = await needs.transcripts.saveSnapshot(db, { ...session, read, complete: true })
    if (saved) await needs.transcripts.enqueueCapture(db, saved)
  }
  for (let number = 0; number < 19; number += 1) await capture(number)
  await enterSession(needs, enterRequest())
  needs.host.advance(4 * hourMs)
  await capture(19)

  expect(await sweepSessions(needs)).toBe(0)
  expect(await findClaim(db, one)).toMatchObject({ state: 'active' })
  await needs.jobs.cancel(db, { agentId: 'ada', subject: 'session:session19' })
  expect(await sweepSessions(needs)).toBe(1)
})

onEachEngine('does not list an expired presence', async (db) => {
  const needs = await sessionsNeeds(db)
  const seen = {
    agentId: 'ada',
    harness: 'codex',
    project: null,
    runtimePath: null,
    provider: null,
  }
  await recordPresence(needs, { ...seen, sessionKey: 'one' })
  expect(await findSession(needs, one)).toMatchObject({ runtimePath: 'unknown' })
  needs.host.advance(4 * hourMs)

  expect(await findSession(needs, one)).toBeUndefined()
})

onEachEngine('a bypass is renewed and expires with its session', async (db) => {
  const needs = await sessionsNeeds(db)
  const look = async () => (await findSession(needs, one))?.bypassed
  await expect(bypassSession(needs, { ...one, enabled: true })).rejects.toMatchObject({
    kind: 'not_found',
    message: 'Session not found',
  })
  await enterSession(needs, enterRequest())
  await bypassSession(needs, { ...one, enabled: true })
  expect(await enterSession(needs, enterRequest())).toMatchObject({ bypassed: true })

  needs.host.advance(3 * hourMs)
  expect(await renewSession(needs, one)).toMatchObject({ key: 'one', renewed: true })
  needs.host.advance(3 * hourMs)
  expect(await look()).toBe(true)
  await bypassSession(needs, { ...one, enabled: false })
  expect(await look()).toBe(false)
})

onEachEngine('a bypass of a present session expires with the presence', async (db) => {
  const needs = await sessionsNeeds(db)
  const see = () => enterSession(needs, enterRequest({ runtimePath: null, announcePresence: true }))
  await see()
  await bypassSession(needs, { ...one, enabled: true })

  for (const hours of [3, 3]) {
    needs.host.advance(hours * hourMs)
    expect(await see()).toMatchObject({ existedBefore: true, bypassed: true })
  }
  needs.host.advance(4 * hourMs)
  expect(await see()).toMatchObject({ existedBefore: false, bypassed: false })
})

onEachEngine('the next claim does not restore an expired bypass', async (db) => {
  const needs = await sessionsNeeds(db)
  await enterSession(needs, enterRequest())
  await bypassSession(needs, { ...one, enabled: true })
  needs.host.advance(4 * hourMs)

  expect(await enterSession(needs, enterRequest())).toMatchObject({ bypassed: false })
  expect(await enterSession(needs, enterRequest())).toMatchObject({ bypassed: false })
})

onEachEngine('checkpoints are retained for the configured number of days', async (db) => {
  const needs = await sessionsNeeds(db)
  const look = async () => (await needs.transcripts.findCheckpoint(db, one)) !== undefined
  await recordActivity(
    needs,
    { ...one, harness: 'codex', project: null },
    { prompt: toCleanText('Paint the barn') },
  )
  await checkpoint(needs, db, { id: one, trigger: 'explicit', ends: true })

  const sweepAfter = (retentionDays: number) => {
    const continuity = { ...needs.config().continuity, retentionDays }
    return sweepSessions({ ...needs, config: () => ({ ...needs.config(), continuity }) })
  }

  needs.host.advance(7 * 24 * hourMs)
  await sweepSessions(needs)
  expect(await look()).toBe(true)
  needs.host.advance(1)
  await sweepAfter(8)
  expect(await look()).toBe(true)
  await sweepSessions(needs)
  expect(await look()).toBe(false)
})

onEachEngine('emits one event for a session without an end', async (db) => {
  const base = await sessionsNeeds(db)
  const announced: unknown[] = []
  const events = {
    emit: ({ name }: { readonly name: string }, session: unknown) =>
      name === sessionEnded.name && announced.push(session),
  }
  const needs = { ...base, events }
  await enterSession(needs, enterRequest())
  needs.host.advance(4 * hourMs)
  await Promise.all([sweepSessions(needs), sweepSessions(needs)])
  const ended = { agentId: one.agentId, session: hashSession(one.sessionKey), harness: 'codex' }
  expect(announced).toEqual([{ ...ended, reason: 'stale-session-sweep' }])

  await enterSession(needs, enterRequest())
  await recordActivity(
    needs,
    { ...one, harness: 'codex', project: null },
    { prompt: toCleanText('Paint the barn') },
  )
  needs.host.advance(4 * hourMs)
  await enterSession(needs, enterRequest({ runtimePath: 'legacy' }))
  expect(announced.slice(1)).toEqual([{ ...ended, reason: 'expired' }])
})

onEachEngine('tells the end by a harness from the end by the sweep', async (db) => {
  const needs = await sessionsNeeds(db)
  const since = needs.host.now().toISOString()
  for (const sessionKey of ['ended', 'broken'])
    await enterSession(needs, enterRequest({ sessionKey }))
  const ended = { ...one, sessionKey: 'ended' }
  const broken = { ...one, sessionKey: 'broken' }
  expect(await wasEndedByHarness(db, ended, since)).toBe(false)
  await endSession(needs, { ...ended, runtimePath: null, endMarker: 'codex' }, async () => {})
  needs.host.advance(4 * hourMs)
  await sweepSessions(needs)

  expect(await wasEndedByHarness(db, ended, since)).toBe(true)
  expect(await wasEndedByHarness(db, broken, since)).toBe(false)
  const later = needs.host.now().toISOString()
  expect(await wasEndedByHarness(db, ended, later)).toBe(false)
})
