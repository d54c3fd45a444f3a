import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { completeCompaction } from '../compaction.ts'
import { begin, hook, hooksNeeds, listAdvances, onEachEngine, withHooks } from '../hooks.fixture.ts'

import { prepareCompaction } from '../pre-compaction.ts'
import { submitPrompt } from '../prompt/submit-prompt.ts'

const dayMs = 86_400_000

type Offered = Record<'memoryId' | 'rank' | 'source' | 'score' | 'wasInjected', string | number>
type Shown = Record<'sessionKey' | 'contextEpoch' | 'itemKind' | 'surface' | 'mode', unknown>

const offered = (db: Db) =>
  db
    .withTables<{ sessionMemories: Offered }>()
    .selectFrom('sessionMemories')
    .select(['memoryId', 'rank', 'source', 'score', 'wasInjected'])
    .orderBy('rank')
    .execute()
const ledger = (db: Db) =>
  db
    .withTables<{ sessionRecallEvents: Shown }>()
    .selectFrom('sessionRecallEvents')
    .select(['sessionKey', 'contextEpoch', 'itemKind', 'surface', 'mode'])
    .execute()

onEachEngine('a beginning tells what is worth most, of its project first', async (db) => {
  const { needs, remember, write } = await hooksNeeds(db)
  const ago = (days: number) => new Date(needs.host.now().getTime() - days * dayMs).toISOString()
  await write('IDENTITY.md', '- **Name:** Ada\n- **Creature:** owl\n')
  await write('AGENTS.md', 'Be brief.')
  await write('agents/ada/MEMORY.md', `The barn is red.${'x'.repeat(11_000)}`)
  await write('MEMORY.md', 'Of nobody else.')
  const elsewhere = await remember('dear but elsewhere', { importance: 1, project: '/q' })
  const here = await remember('cheap but here', { importance: 0.3, project: '/p' })
  const pinned = await remember('old and pinned', { pinned: true, createdAt: ago(300) })
  const fourth = await remember('fourth', { importance: 0.4 })
  await remember('worn out', { importance: 1, createdAt: ago(60) })

  const told = await begin(needs)

  expect(told.memories[0]?.id).toBe(here)
  expect(told.memories.map(({ id }) => id).toSorted()).toEqual([elsewhere, here, pinned].toSorted())
  expect(told).toMatchObject({
    identity: { name: 'Ada', description: 'owl' },
    recentContext: expect.stringMatching(/^The barn is red\.x{9984}$/),
    ...{ sessionKnown: false, contextVersion: 1 },
    clockContext: expect.stringMatching(
      /^Current date\/time: 2026-01-0\dT.*-07:00 \(America\/Denver\)$/,
    ),
  })
  expect(told.stableSystemPrompt).toContain('## Agent Instructions\n\nBe brief.')
  expect(told.stableSystemPrompt).not.toContain('2026')
  expect(told.dynamicContext).toContain('not instructions')
  expect(told.dynamicContext).toContain('## Working Memory\n\nThe barn is red.')
  expect(told.inject).toMatch(/^<svc-memory-context>\n[\s\S]*\n<\/svc-memory-context>\n$/)
  expect(told.inject).not.toContain('Current date/time')
  expect(await offered(db)).toEqual([
    { memoryId: here, rank: 1, source: 'standing', score: 0.3, wasInjected: 1 },
    { memoryId: expect.any(String), rank: 2, source: 'standing', score: 1, wasInjected: 1 },
    { memoryId: expect.any(String), rank: 3, source: 'standing', score: 1, wasInjected: 1 },
    { memoryId: fourth, rank: 4, source: 'standing', score: 0.4, wasInjected: 0 },
  ])
  const shown = {
    ...{ sessionKey: 'codex:/p:one', contextEpoch: 0, itemKind: 'memory' },
    ...{ surface: 'api.hooks.session-start', mode: 'automatic' },
  }
  expect(await ledger(db)).toEqual(told.memories.map(() => shown))
})

onEachEngine('the same context has the same hash at any time', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')

  const first = await begin(needs, { hook: hook({ sessionKey: undefined }) })
  needs.host.advance(1000)
  const second = await begin(needs, { hook: hook({ sessionKey: undefined }) })

  expect(second.contextHash).toBe(first.contextHash)
  expect(second.clockContext).not.toBe(first.clockContext)
})

onEachEngine('a repeated beginning is a stub until the conversation is cleared', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')

  expect((await begin(needs)).memories).toHaveLength(1)
  const again = await begin(needs)
  expect(again).toMatchObject({ identity: { name: 'Agent' }, memories: [], sessionKnown: true })
  expect(again.inject).toContain('memory active')
  expect((await begin(needs, { hook: hook({ project: '/q' }) })).memories).toHaveLength(1)
  expect(await listAdvances(db)).toEqual([])
  expect((await begin(needs, { source: 'clear' })).memories).toHaveLength(1)
  expect(await listAdvances(db)).toEqual([
    { sessionKey: 'one', reason: 'session-clear', sourceRef: null },
  ])
  needs.host.advance(7 * dayMs - 1)
  expect((await begin(needs)).memories).toEqual([])
  needs.host.advance(1)
  expect((await begin(needs)).memories).toHaveLength(1)
})

onEachEngine(
  'what was told counts no more, and the last checkpoint says what it was',
  async (db) => {
    const { needs } = await hooksNeeds(db)
    const checkpointOf = (sessionKey: string) =>
      needs.transcripts.findCheckpoint(db, { agentId: 'ada', sessionKey })
    const said = { hook: hook(), userMessage: 'mend the gate' }
    await begin(needs)
    await submitPrompt(needs, said)
    await prepareCompaction(needs, { hook: hook() })
    const before = await checkpointOf('one')
    needs.host.advance(1)
    await begin(needs, { source: 'compact' })
    await submitPrompt(needs, said)
    await begin(needs, { source: 'clear' })
    const after = await checkpointOf('one')

    expect(after?.id).not.toBe(before?.id)
    const one = { sessionKey: 'one', sourceRef: expect.any(String) }
    expect(await listAdvances(db)).toEqual([
      { ...one, reason: 'compaction-complete', sourceRef: before?.id },
      { ...one, reason: 'session-clear', sourceRef: after?.id },
    ])
  },
)

onEachEngine('one of several concurrent starts gets the context', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')

  const told = await Promise.all(Array.from({ length: 4 }, () => begin(needs)))

  expect(told.map(({ memories }) => memories.length).toSorted()).toEqual([0, 0, 0, 1])
})

onEachEngine('a compacted session gets the complete context again', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('a thing')
  const summary = 'We spoke of a thing.'

  expect((await begin(needs, { source: 'startup' })).memories).toHaveLength(1)
  expect((await begin(needs, { source: 'compact' })).memories).toHaveLength(1)
  expect((await begin(needs, { source: 'resume' })).memories).toEqual([])
  expect(await completeCompaction(needs, { hook: hook(), summary })).toMatchObject({
    contextEpoch: 2,
  })
  expect((await begin(needs, { source: 'compact' })).memories.length).toBeGreaterThan(0)
})

onEachEngine('a session that goes on says so and hears nothing more', async (db) => {
  const { needs, announced } = await hooksNeeds(db)
  const claimOnly = true

  expect(await begin(needs, { claimOnly })).toEqual({ sessionKnown: true })
  expect(announced).toEqual([])
  expect(await needs.sessions.findWindow(db, { agentId: 'ada', sessionKey: 'one' })).toBe(undefined)
  expect((await needs.agents.readScopeOf(db, hook().caller)).policy).toBe('isolated')
  expect(await offered(db)).toEqual([])
  expect(await begin(needs)).toMatchObject({ sessionKnown: true, contextVersion: 1 })
  expect((await begin(needs)).stableSystemPrompt).toBe('')
  for (const more of [{ runtimePath: null }, { sessionKey: undefined }])
    await expect(begin(needs, { claimOnly, hook: hook(more) })).rejects.toMatchObject({
      ...{ kind: 'invalid', message: expect.stringContaining('claimOnly requires') },
    })
})

onEachEngine('its window opens with the session, and no second time', async (db) => {
  const { needs } = await hooksNeeds(db)
  const id = { agentId: 'ada', sessionKey: 'one' }
  const startedAt = needs.host.now().toISOString()
  await begin(needs)
  needs.host.advance(1000)
  await needs.sessions.recordActivity(
    db,
    { ...id, harness: 'codex', project: '/p' },
    { prompt: toCleanText('hello') },
  )
  await begin(needs)

  expect(await needs.sessions.findWindow(db, id)).toMatchObject({ startedAt, promptCount: 1 })
})

onEachEngine('how much newer counts for more can be set', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const ago = (days: number) => new Date(needs.host.now().getTime() - days * dayMs).toISOString()
  const old = await remember('dear and old', { importance: 0.9, createdAt: ago(40) })
  const recent = await remember('cheap and new', { importance: 0.5 })
  const told = async (recencyBias: number, sessionKey: string) => {
    const settings = withHooks(needs, { sessionStart: { recencyBias } })
    return (await begin(settings, { hook: hook({ sessionKey }) })).memories.map(({ id }) => id)
  }

  expect(await told(0.7, 'usual')).toEqual([recent])
  expect(await told(0, 'none')).toEqual([old, recent])
})

onEachEngine('another path is refused in the shape of nothing', async (db) => {
  const { needs } = await hooksNeeds(db)
  await begin(needs)

  await expect(begin(needs, { hook: hook({ runtimePath: 'legacy' }) })).rejects.toMatchObject({
    ...{ kind: 'conflict', message: 'session claimed by plugin path' },
    details: { claimedBy: 'plugin', duplicateRuntimePath: true, inject: '', memories: [] },
  })
})

onEachEngine(
  'that a claim is about to expire is told once, to who does not renew it',
  async (db) => {
    const { needs } = await hooksNeeds(db)
    const told = { warnings: [expect.stringMatching(/^The claim of this session expires at /)] }
    for (const sessionKey of ['one', 'two']) await begin(needs, { hook: hook({ sessionKey }) })
    const one = hook({ runtimePath: null })
    const ask = () => submitPrompt(needs, { hook: one, userMessage: toCleanText('mend the gate') })
    needs.host.advance(dayMs / 6 - 1_800_000 - 1)
    expect(await ask()).not.toHaveProperty('warnings')
    needs.host.advance(1)

    expect(await ask()).toMatchObject(told)
    expect(await ask()).not.toHaveProperty('warnings')
    expect(await begin(needs, { hook: one })).not.toHaveProperty('warnings')
    expect(await begin(needs, { hook: { ...one, sessionKey: 'two' } })).toMatchObject(told)
  },
)

onEachEngine('an internal call hears nothing and leaves no trace', async (db) => {
  const { needs } = await hooksNeeds(db)

  expect(await begin(needs, { hook: hook({ internal: true }) })).toEqual({
    ...{ inject: '', stableSystemPrompt: '', dynamicContext: '', memories: [] },
  })
  expect(await needs.sessions.find({ agentId: 'ada', sessionKey: 'one' })).toBeUndefined()
})

onEachEngine(
  'who goes on hears where it was, and a sub-agent what its parent knows',
  async (db) => {
    const { needs } = await hooksNeeds(db)
    const parent = { agentId: 'ada', sessionKey: 'agent:ada:main', harness: 'codex', project: '/p' }
    await needs.sessions.recordActivity(db, parent, { prompt: toCleanText('paint the barn') })
    await transaction(db, (db) =>
      needs.sessions.checkpoint(db, { id: parent, trigger: 'periodic', ends: false }),
    )
    const turns = [
      { role: 'assistant', text: `long ago ${'x '.repeat(3000)}` },
      { role: 'user', text: 'paint the barn red' },
    ] as const
    await needs.transcripts.appendLive(db, { ...parent, turns })

    const child = await begin(needs, { hook: hook({ sessionKey: 'agent:ada:subagent:x' }) })

    expect(child.dynamicContext).toContain('## Inherited Parent Context')
    expect(child.dynamicContext).toMatch(
      /### Parent Transcript \(end\)\n(x )+x\nUser: paint the barn red/,
    )
    expect(child.dynamicContext.length).toBeLessThan(4000)
    const parentAgain = await begin(needs, { hook: hook({ sessionKey: 'agent:ada:main' }) })
    expect(parentAgain.dynamicContext).toContain('## Session Recovery Context')
    expect(parentAgain.dynamicContext).toContain('- paint the barn')
    needs.host.advance(4 * 3_600_000 - 1)
    const soon = await begin(needs, { hook: hook({ sessionKey: 'soon' }) })
    expect(soon.dynamicContext).toContain('- paint the barn')
    needs.host.advance(1)
    const late = await begin(needs, { hook: hook({ sessionKey: 'late' }) })
    expect(late.dynamicContext).not.toContain('- paint the barn')
  },
)

onEachEngine('the context lists peers and news since the last end', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  const id = { agentId: 'ada', sessionKey: 'zero' }
  await transaction(db, (db) =>
    needs.sessions.finish(db, { ...id, harness: 'codex', project: '/p' }),
  )
  needs.host.advance(1000)
  await remember('a thing of later')
  await begin(needs, { hook: hook({ sessionKey: 'peer', harness: 'opencode' }) })

  const { dynamicContext } = await begin(needs)

  expect(dynamicContext).toContain(
    'Since the last session ended: 1 new memory, 0 captured sessions.',
  )
  expect(dynamicContext).toMatch(/## Active Peer Sessions\n\n- ada in opencode/)
})
