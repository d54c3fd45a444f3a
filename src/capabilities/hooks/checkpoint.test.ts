import { expect } from 'vitest'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { extractCheckpoint } from './checkpoint.ts'
import { completeCompaction } from './compaction.ts'
import { begin, hook, hooksNeeds, onEachEngine } from './hooks.fixture.ts'
import { findCursor } from './store.ts'

const id = { agentId: 'ada', sessionKey: 'one' }
const said = (words: string) => `User: ${words} ${'and on '.repeat(100)}`

onEachEngine('a checkpoint saves the transcript and starts a new window', async (db) => {
  const { needs } = await hooksNeeds(db)
  await begin(needs)
  await needs.sessions.recordActivity(
    db,
    { ...id, harness: 'codex', project: '/p' },
    { prompt: toCleanText('paint') },
  )
  const extract = (transcript: string) => extractCheckpoint(needs, { hook: hook(), transcript })

  expect(await extract(said('paint'))).toEqual({ skipped: true })
  await extract(`${said('paint')}\nUser: a little`)

  expect(await needs.transcripts.find(db, id)).toMatchObject({
    ...{ content: `${said('paint').trim()}\nUser: a little`, completedAt: null },
  })
  expect(await needs.transcripts.findCheckpoint(db, id)).toMatchObject({ triggerKind: 'explicit' })
  expect(await needs.sessions.findWindow(db, id)).toBe(undefined)
  expect(await needs.sessions.find(id)).toMatchObject({ runtimePath: 'plugin' })
})

onEachEngine('a session without a claim or an end is closed when it is silent', async (db) => {
  const { needs, sweepSessions } = await hooksNeeds(db)
  const nobodys = hook({ runtimePath: null })
  await extractCheckpoint(needs, { hook: nobodys, transcript: said('paint') })

  needs.host.advance(4 * 3_600_000)
  await sweepSessions()

  expect(await needs.transcripts.find(db, id)).toMatchObject({ completedAt: expect.any(String) })
  expect(await needs.sessions.find(id)).toBe(undefined)
})

onEachEngine('less than 500 characters since the last time are not worth it', async (db) => {
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
  // Shorter than what was read: another text, of which nothing was.
  expect([await extract(600), await extract(1000)]).toEqual([true, false])
  expect([await extract(100), await extract(1099)]).toEqual([false, true])
  expect(await extract(1200)).toBe(false)
  await completeCompaction(needs, { hook: hook(), summary: 'The barn was painted.' })
  expect(await extract(1200)).toBe(true)
})

onEachEngine('a short answer is stored though it makes no checkpoint', async (db) => {
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

onEachEngine('what is stored already counts where nothing is sent', async (db) => {
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

onEachEngine('without the pipeline nothing is made of it', async (db) => {
  const given = await hooksNeeds(db)
  const settings = { ...given.needs.settings(), pipelineEnabled: false }
  const needs = { ...given.needs, settings: () => settings }

  expect(await extractCheckpoint(needs, { hook: hook(), transcript: said('paint') })).toEqual({
    skipped: true,
  })
  expect(await needs.transcripts.find(db, id)).toBe(undefined)
})

onEachEngine('five hundred characters are worth it, and one less is not', async (db) => {
  const { needs } = await hooksNeeds(db)
  const reached = async (transcript?: string) => {
    await extractCheckpoint(needs, { hook: hook(), transcript })
    return findCursor(db, id)
  }
  const long = (length: number) => 'User: '.padEnd(length, 'x')

  expect(await reached()).toBe(undefined)
  expect(await reached(long(499))).toBe(undefined)
  expect(await reached(long(500))).toBe(500)
  expect(await reached(long(999))).toBe(500)
  expect(await reached(long(1000))).toBe(1000)
  // One that is shorter than what was read of it is another, and new as a whole.
  expect(await reached(`Assistant: ${long(500)}`)).toBe(511)
  expect((await needs.transcripts.find(db, id))?.content).toBe(long(1000))
})

onEachEngine('without a transcript the length of the stored one counts', async (db) => {
  const { needs } = await hooksNeeds(db)
  const turns = [{ role: 'user', text: 'and on '.repeat(100).trim() }] as const
  await needs.transcripts.appendLive(db, { ...id, harness: 'codex', turns })

  await extractCheckpoint(needs, { hook: hook(), transcriptPath: '/etc/hostname' })

  expect(await findCursor(db, id)).toBe('User: '.length + 'and on '.length * 100 - 1)
})
