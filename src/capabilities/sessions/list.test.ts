import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { recordActivity } from './continuity.ts'
import { endSession } from './end.ts'
import { enterSession } from './enter.ts'
import { assertInScope } from './list.ts'
import { recordPresence } from './presence.ts'
import { enterRequest, onEachEngine, one, sessionsNeeds } from './sessions.fixture.ts'
import { findClaim } from './store/claims.ts'
import { findWindow } from './store/windows.ts'

type Needs = Awaited<ReturnType<typeof sessionsNeeds>>
type Store = (needs: Needs, project: string | null) => Promise<unknown>

const alpha = { ...callerFor('ada'), scope: { project: 'alpha' } }
const harness = 'codex'
const unclaimed = { ...one, harness, runtimePath: null, provider: null }

/** Each operation that stores a session. */
const storeOperations: Readonly<Record<string, Store>> = {
  'a claim': (needs, project) => enterSession(needs, enterRequest({ project })),
  'an end': (needs, project) =>
    endSession(needs, { ...one, runtimePath: null, endMarker: harness, project }, async () => {}),
  'a presence': (needs, project) => recordPresence(needs, { ...unclaimed, project }),
  'a window': (needs, project) =>
    recordActivity(needs, { ...one, harness, project }, { terms: toCleanText('ferns') }),
  'a transcript': ({ db, transcripts }, project) => {
    const turns = [{ role: 'user', text: 'ferns' }] as const
    const session = { ...one, harness, project: project ?? undefined, turns }
    return transaction(db, (db) => transcripts.appendLive(db, session))
  },
  'the id of a transcript': ({ db, transcripts }, project) => {
    const turns = [{ role: 'user', text: 'ferns' }] as const
    const session = { agentId: 'ada', sessionKey: 'other', sessionId: one.sessionKey }
    const place = { harness, project: project ?? undefined }
    return transaction(db, (db) => transcripts.appendLive(db, { ...session, ...place, turns }))
  },
  'a checkpoint': ({ db, transcripts }, project) =>
    transcripts.saveCheckpoint(db, {
      ...one,
      harness,
      project: project ?? undefined,
      trigger: 'periodic',
      digest: toCleanText('ferns'),
      promptCount: 1,
      maxCheckpoints: 5,
    }),
}

const checkAccess = (needs: Needs, sessionKey: string = one.sessionKey) =>
  assertInScope(needs, alpha, sessionKey).then(
    () => true,
    (error: Error) => error.message,
  )
const refusal = "scope restricted to project 'alpha'"

for (const [name, store] of Object.entries(storeOperations))
  for (const [project, expected] of [
    ['alpha', true],
    ['beta', refusal],
    [null, refusal],
  ] as const)
    onEachEngine(
      `access to a session stored by ${name} under ${project}: ${expected}`,
      async (db: Db) => {
        const needs = await sessionsNeeds(db)
        await store(needs, project)

        expect(await checkAccess(needs)).toBe(expected)
        expect(await checkAccess(needs, `session:${one.sessionKey}`)).toBe(expected)
      },
    )

onEachEngine(
  'accepts sessions that are stored nowhere, and all for a token without a project',
  async (db) => {
    const needs = await sessionsNeeds(db)
    await enterSession(needs, enterRequest({ project: 'beta' }))

    expect(await checkAccess(needs, 'new')).toBe(true)
    await assertInScope(needs, callerFor('ada'), one.sessionKey)
    await assertInScope(needs, { ...alpha, agentId: 'bob' }, one.sessionKey)
  },
)

onEachEngine('a row without a project does not hide a session of the project', async (db) => {
  const needs = await sessionsNeeds(db)
  await recordPresence(needs, { ...unclaimed, project: null })
  await enterSession(needs, enterRequest({ project: 'alpha' }))

  expect(await checkAccess(needs)).toBe(true)
})

onEachEngine('does not overwrite a stored project', async (db) => {
  const needs = await sessionsNeeds(db)
  const { 'an end': _, ...lasting } = storeOperations
  for (const project of ['alpha', 'beta', null])
    for (const store of Object.values(lasting)) await store(needs, project)

  expect(await findClaim(db, one)).toMatchObject({ project: 'alpha' })
  expect(await findWindow(db, one)).toMatchObject({ project: 'alpha' })
  expect(await recordPresence(needs, { ...unclaimed, project: 'beta' })).toMatchObject({
    project: 'alpha',
  })
  expect(await needs.transcripts.findOrigin(db, one)).toMatchObject({ project: 'alpha' })
})
