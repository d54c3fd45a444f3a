import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { completeCompaction } from '../compaction.ts'
import {
  hook,
  hooksNeeds,
  listLedgerResets,
  onEachEngine,
  startWithContext,
  withSettings,
} from '../hooks.fixture.ts'

import { prepareCompaction } from '../pre-compaction.ts'
import { submitPrompt } from '../prompt/submit-prompt.ts'

const dayMs = 86_400_000

type OfferedRow = Record<'memoryId' | 'rank' | 'source' | 'score' | 'wasInjected', string | number>
type LedgerRow = Record<'sessionKey' | 'contextEpoch' | 'itemKind' | 'surface' | 'mode', unknown>

const listOffered = (db: Db) =>
  db
    .withTables<{ sessionMemories: OfferedRow }>()
    .selectFrom('sessionMemories')
    .select(['memoryId', 'rank', 'source', 'score', 'wasInjected'])
    .orderBy('rank')
    .execute()
const listLedger = (db: Db) =>
  db
    .withTables<{ sessionRecallEvents: LedgerRow }>()
    .selectFrom('sessionRecallEvents')
    .select(['sessionKey', 'contextEpoch', 'itemKind', 'surface', 'mode'])
    .execute()

onEachEngine(
  'injects the memories with the highest score, those of the project first',
  async (db) => {
    const { needs, remember, write } = await hooksNeeds(db)
    const ago = (days: number) => new Date(needs.host.now().getTime() - days * dayMs).toISOString()
    await write('IDENTITY.md', '- **Name:** Ada\n- **Creature:** owl\n')
    await write('AGENTS.md', 'Be brief.')
    await write('agents/ada/MEMORY.md', `The barn is red.${'x'.repeat(11_000)}`)
    await write('MEMORY.md', 'Memory of another agent.')
    const elsewhere = await remember('dear but elsewhere', { importance: 1, project: '/q' })
    const here = await remember('cheap but here', { importance: 0.3, project: '/p' })
    const pinned = await remember('old and pinned', { pinned: true, createdAt: ago(300) })
    const fourth = await remember('fourth', { importance: 0.4 })
    await remember('worn out', { importance: 1, createdAt: ago(60) })

    const context = await startWithContext(needs)

    expect(context.memories[0]?.id).toBe(here)
    expect(context.memories.map(({ id }) => id).toSorted()).toEqual(
      [elsewhere, here, pinned].toSorted(),
    )
    expect(context).toMatchObject({
      identity: { name: 'Ada', description: 'owl' },
      recentContext: expect.stringMatching(/^The barn is red\.x{9984}$/),
      sessionKnown: false,
      contextVersion: 1,
      clockContext: expect.stringMatching(
        /^Current date\/time: 2026-01-0\dT.*-07:00 \(America\/Denver\)$/,
      ),
    })
    expect(context.stableSystemPrompt).toContain('## Agent Instructions\n\nBe brief.')
    expect(context.stableSystemPrompt).not.toContain('2026')
    expect(context.dynamicContext).toContain('not instructions')
    expect(context.dynamicContext).toContain('## Working Memory\n\nThe barn is red.')
    expect(context.inject).toMatch(/^<svc-memory-context>\n[\s\S]*\n<\/svc-memory-context>\n$/)
    expect(context.inject).not.toContain('Current date/time')
    expect(await listOffered(db)).toEqual([
      { memoryId: here, rank: 1, source: 'standing', score: 0.3, wasInjected: 1 },
      { memoryId: expect.any(String), rank: 2, source: 'standing', score: 1, wasInjected: 1 },
      { memoryId: expect.any(String), rank: 3, source: 'standing', score: 1, wasInjected: 1 },
      { memoryId: fourth, rank: 4, source: 'standing', score: 0.4, wasInjected: 0 },
    ])
    const shown = {
      sessionKey: 'codex:/p:one',
      contextEpoch: 0,
      itemKind: 'memory',
      surface: 'api.hooks.session-start',
      mode: 'automatic',
    }
    expect(await listLedger(db)).toEqual(context.memories.map(() => shown))
  },
)

onEachEngine('the same context has the same hash at any time', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')

  const first = await startWithContext(needs, { hook: hook({ sessionKey: undefined }) })
  needs.host.advance(1000)
  const second = await startWithContext(needs, { hook: hook({ sessionKey: undefined }) })

  expect(second.contextHash).toBe(first.contextHash)
  expect(second.clockContext).not.toBe(first.clockContext)
})

onEachEngine('a repeated start gets the short reply until a clear', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')

  expect((await startWithContext(needs)).memories).toHaveLength(1)
  const again = await startWithContext(needs)
  expect(again).toMatchObject({ identity: { name: 'Agent' }, memories: [], sessionKnown: true })
  expect(again.inject).toContain('memory active')
  expect((await startWithContext(needs, { hook: hook({ project: '/q' }) })).memories).toHaveLength(
    1,
  )
  expect(await listLedgerResets(db)).toEqual([])
  expect((await startWithContext(needs, { source: 'clear' })).memories).toHaveLength(1)
  expect(await listLedgerResets(db)).toEqual([
    { sessionKey: 'one', reason: 'session-clear', sourceRef: null },
  ])
  needs.host.advance(7 * dayMs - 1)
  expect((await startWithContext(needs)).memories).toEqual([])
  needs.host.advance(1)
  expect((await startWithContext(needs)).memories).toHaveLength(1)
})

onEachEngine('a listLedger reset refers to the last checkpoint', async (db) => {
  const { needs } = await hooksNeeds(db)
  const checkpointOf = (sessionKey: string) =>
    needs.transcripts.findCheckpoint(db, { agentId: 'ada', sessionKey })
  const prompt = { hook: hook(), userMessage: 'mend the gate' }
  await startWithContext(needs)
  await submitPrompt(needs, prompt)
  await prepareCompaction(needs, { hook: hook() })
  const before = await checkpointOf('one')
  needs.host.advance(1)
  await startWithContext(needs, { source: 'compact' })
  await submitPrompt(needs, prompt)
  await startWithContext(needs, { source: 'clear' })
  const after = await checkpointOf('one')

  expect(after?.id).not.toBe(before?.id)
  const one = { sessionKey: 'one', sourceRef: expect.any(String) }
  expect(await listLedgerResets(db)).toEqual([
    { ...one, reason: 'compaction-complete', sourceRef: before?.id },
    { ...one, reason: 'session-clear', sourceRef: after?.id },
  ])
})

onEachEngine('one of several concurrent starts gets the context', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')

  const contexts = await Promise.all(Array.from({ length: 4 }, () => startWithContext(needs)))

  expect(contexts.map(({ memories }) => memories.length).toSorted()).toEqual([0, 0, 0, 1])
})

onEachEngine('a compacted session gets the complete context again', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')
  const summary = 'We spoke of a thing.'

  expect((await startWithContext(needs, { source: 'startup' })).memories).toHaveLength(1)
  expect((await startWithContext(needs, { source: 'compact' })).memories).toHaveLength(1)
  expect((await startWithContext(needs, { source: 'resume' })).memories).toEqual([])
  expect(await completeCompaction(needs, { hook: hook(), summary })).toMatchObject({
    contextEpoch: 2,
  })
  expect((await startWithContext(needs, { source: 'compact' })).memories.length).toBeGreaterThan(0)
})

onEachEngine('claimOnly renews the claim without a context', async (db) => {
  const { needs, emitted } = await hooksNeeds(db)
  const claimOnly = true

  expect(await startWithContext(needs, { claimOnly })).toEqual({ sessionKnown: true })
  expect(emitted).toEqual([])
  expect(await needs.sessions.findWindow(db, { agentId: 'ada', sessionKey: 'one' })).toBe(undefined)
  expect((await needs.agents.readScopeOf(db, hook().caller)).policy).toBe('isolated')
  expect(await listOffered(db)).toEqual([])
  expect(await startWithContext(needs)).toMatchObject({ sessionKnown: true, contextVersion: 1 })
  expect((await startWithContext(needs)).stableSystemPrompt).toBe('')
  for (const more of [{ runtimePath: null }, { sessionKey: undefined }])
    await expect(startWithContext(needs, { claimOnly, hook: hook(more) })).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('claimOnly requires'),
    })
})

onEachEngine('a session start opens the window once', async (db) => {
  const { needs } = await hooksNeeds(db)
  const id = { agentId: 'ada', sessionKey: 'one' }
  const startedAt = needs.host.now().toISOString()
  await startWithContext(needs)
  needs.host.advance(1000)
  await needs.sessions.recordActivity(
    db,
    { ...id, harness: 'codex', project: '/p' },
    { prompt: toCleanText('hello') },
  )
  await startWithContext(needs)

  expect(await needs.sessions.findWindow(db, id)).toMatchObject({ startedAt, promptCount: 1 })
})

onEachEngine('recencyBias sets the weight of recency', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const ago = (days: number) => new Date(needs.host.now().getTime() - days * dayMs).toISOString()
  const old = await remember('dear and old', { importance: 0.9, createdAt: ago(40) })
  const recent = await remember('cheap and new', { importance: 0.5 })
  const injectedIds = async (recencyBias: number, sessionKey: string) => {
    const settings = withSettings(needs, { sessionStart: { recencyBias } })
    return (await startWithContext(settings, { hook: hook({ sessionKey }) })).memories.map(
      ({ id }) => id,
    )
  }

  expect(await injectedIds(0.7, 'default')).toEqual([recent])
  expect(await injectedIds(0, 'none')).toEqual([old, recent])
})

onEachEngine('refuses another runtime path with the fields of an empty reply', async (db) => {
  const { needs } = await hooksNeeds(db)
  await startWithContext(needs)

  await expect(
    startWithContext(needs, { hook: hook({ runtimePath: 'legacy' }) }),
  ).rejects.toMatchObject({
    kind: 'conflict',
    message: 'session claimed by plugin path',
    details: { claimedBy: 'plugin', duplicateRuntimePath: true, inject: '', memories: [] },
  })
})

onEachEngine('warns once of an expiring claim that the hook does not renew', async (db) => {
  const { needs } = await hooksNeeds(db)
  const warning = { warnings: [expect.stringMatching(/^The claim of this session expires at /)] }
  for (const sessionKey of ['one', 'two'])
    await startWithContext(needs, { hook: hook({ sessionKey }) })
  const one = hook({ runtimePath: null })
  const submit = () => submitPrompt(needs, { hook: one, userMessage: toCleanText('mend the gate') })
  needs.host.advance(dayMs / 6 - 1_800_000 - 1)
  expect(await submit()).not.toHaveProperty('warnings')
  needs.host.advance(1)

  expect(await submit()).toMatchObject(warning)
  expect(await submit()).not.toHaveProperty('warnings')
  expect(await startWithContext(needs, { hook: one })).not.toHaveProperty('warnings')
  expect(await startWithContext(needs, { hook: { ...one, sessionKey: 'two' } })).toMatchObject(
    warning,
  )
})

onEachEngine('an internal call gets an empty reply and records nothing', async (db) => {
  const { needs } = await hooksNeeds(db)

  expect(await startWithContext(needs, { hook: hook({ internal: true }) })).toEqual({
    inject: '',
    stableSystemPrompt: '',
    dynamicContext: '',
    memories: [],
  })
  expect(await needs.sessions.find({ agentId: 'ada', sessionKey: 'one' })).toBeUndefined()
})

onEachEngine('the context lists peers and news since the last end', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const id = { agentId: 'ada', sessionKey: 'zero' }
  await transaction(db, (db) =>
    needs.sessions.finish(db, { ...id, harness: 'codex', project: '/p' }),
  )
  needs.host.advance(1000)
  await remember('a thing of later')
  await startWithContext(needs, { hook: hook({ sessionKey: 'peer', harness: 'opencode' }) })

  const { dynamicContext } = await startWithContext(needs)

  expect(dynamicContext).toContain(
    'Since the last session ended: 1 new memory, 0 captured sessions.',
  )
  expect(dynamicContext).toMatch(/## Active Peer Sessions\n\n- ada in opencode/)
})
