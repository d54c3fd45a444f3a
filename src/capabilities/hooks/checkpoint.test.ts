import { expect } from 'vitest'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { extractCheckpoint } from './checkpoint.ts'
import { completeCompaction } from './compaction.ts'
import { hook, hooksNeeds, onEachEngine, startWithContext } from './hooks.fixture.ts'
import { findCursor } from './store.ts'

const id = { agentId: 'ada', sessionKey: 'one' }
const toUserTurn = (words: string) => `User: ${words} ${'and on '.repeat(100)}`

onEachEngine('a checkpoint saves the transcript and starts a new window', async (db) => {
  const { needs } = await hooksNeeds(db)
  await startWithContext(needs)
  await needs.sessions.recordActivity(
    db,
    { ...id, harness: 'codex', project: '/p' },
    { prompt: toCleanText('paint') },
  )
  const extract = (transcript: string) => extractCheckpoint(needs, { hook: hook(), transcript })

  expect(await extract(toUserTurn('paint'))).toEqual({ skipped: true })
  await extract(`${toUserTurn('paint')}\nUser: a little`)

  expect(await needs.transcripts.find(db, id)).toMatchObject({
    content: `${toUserTurn('paint').trim()}\nUser: a little`,
    completedAt: null,
  })
  expect(await needs.transcripts.findCheckpoint(db, id)).toMatchObject({ triggerKind: 'explicit' })
  expect(await needs.sessions.findWindow(db, id)).toBe(undefined)
  expect(await needs.sessions.find(id)).toMatchObject({ runtimePath: 'plugin' })
})

onEachEngine('a session without a claim or an end is closed when it is silent', async (db) => {
  const { needs, sweepSessions } = await hooksNeeds(db)
  const unclaimed = hook({ runtimePath: null })
  await extractCheckpoint(needs, { hook: unclaimed, transcript: toUserTurn('paint') })

  needs.host.advance(4 * 3_600_000)
  await sweepSessions()

  expect(await needs.transcripts.find(db, id)).toMatchObject({ completedAt: expect.any(String) })
  expect(await needs.sessions.find(id)).toBe(undefined)
})

onEachEngine('skips the checkpoint for fewer than 500 new characters', async (db) => {
  const { needs } = await hooksNeeds(db)
  const extract = async (characters?: number) => {
    await needs.sessions.recordActivity(
      db,
      { ...id, harness: 'codex', project: '/p' },
      { prompt: toCleanText('paint') },
    )
    const transcript = characters === undefined ? undefined : `User: ${'x'.repeat(characters - 6)}`
    await extractCheckpoint(needs, { hook: hook(), transcript })
    return (await needs.sessions.findWindow(db, id)) === undefined
  }

  expect(await extract()).toBe(false)
  expect([await extract(499), await extract(500)]).toEqual([false, true])
  expect(await extract()).toBe(false)
  expect([await extract(999), await extract(1000)]).toEqual([false, true])
  // A text shorter than the cursor is another text.
  expect([await extract(600), await extract(1000)]).toEqual([true, false])
  expect([await extract(100), await extract(1099)]).toEqual([false, true])
  expect(await extract(1200)).toBe(false)
  await completeCompaction(needs, { hook: hook(), summary: 'The barn was painted.' })
  expect(await extract(1200)).toBe(true)
})

onEachEngine('stores a short transcript without a checkpoint', async (db) => {
  const { needs } = await hooksNeeds(db)
  await needs.sessions.recordActivity(
    db,
    { ...id, harness: 'codex', project: '/p' },
    { prompt: toCleanText('why?') },
  )

  await extractCheckpoint(needs, { hook: hook(), transcript: 'User: why?\nAssistant: Because.' })

  expect((await needs.transcripts.find(db, id))?.content).toBe('User: why?\nAssistant: Because.')
  expect(await needs.transcripts.findCheckpoint(db, id)).toBe(undefined)
  expect(await needs.sessions.findWindow(db, id)).toMatchObject({ promptCount: 1 })
  expect(await findCursor(db, id)).toBe(undefined)
})

onEachEngine('uses the stored transcript when none is sent', async (db) => {
  const { needs } = await hooksNeeds(db)
  await needs.sessions.recordActivity(
    db,
    { ...id, harness: 'codex', project: '/p' },
    { prompt: toCleanText('paint') },
  )
  const turns = [{ role: 'user', text: 'and on '.repeat(80) }] as const
  await needs.transcripts.appendLive(db, { ...id, harness: 'codex', turns })

  await extractCheckpoint(needs, { hook: hook() })

  expect(await needs.transcripts.findCheckpoint(db, id)).toMatchObject({ triggerKind: 'explicit' })
})

onEachEngine('skips all work when the pipeline is disabled', async (db) => {
  const fixture = await hooksNeeds(db)
  const settings = { ...fixture.needs.settings(), pipelineEnabled: false }
  const needs = { ...fixture.needs, settings: () => settings }

  expect(await extractCheckpoint(needs, { hook: hook(), transcript: toUserTurn('paint') })).toEqual(
    {
      skipped: true,
    },
  )
  expect(await needs.transcripts.find(db, id)).toBe(undefined)
})

onEachEngine('moves the cursor after 500 new characters', async (db) => {
  const { needs } = await hooksNeeds(db)
  const cursorAfter = async (transcript?: string) => {
    await extractCheckpoint(needs, { hook: hook(), transcript })
    return findCursor(db, id)
  }
  const long = (length: number) => 'User: '.padEnd(length, 'x')

  expect(await cursorAfter()).toBe(undefined)
  expect(await cursorAfter(long(499))).toBe(undefined)
  expect(await cursorAfter(long(500))).toBe(500)
  expect(await cursorAfter(long(999))).toBe(500)
  expect(await cursorAfter(long(1000))).toBe(1000)
  // A text shorter than the cursor is another text.
  expect(await cursorAfter(`Assistant: ${long(500)}`)).toBe(511)
  expect((await needs.transcripts.find(db, id))?.content).toBe(long(1000))
})

onEachEngine(
  'moves the cursor to the end of the stored transcript when none is sent',
  async (db) => {
    const { needs } = await hooksNeeds(db)
    const turns = [{ role: 'user', text: 'and on '.repeat(100).trim() }] as const
    await needs.transcripts.appendLive(db, { ...id, harness: 'codex', turns })

    await extractCheckpoint(needs, { hook: hook(), transcriptPath: '/etc/hostname' })

    expect(await findCursor(db, id)).toBe('User: '.length + 'and on '.length * 100 - 1)
  },
)
