import { expect, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { makeExcerpt, parentOf, searchSessions } from './search.ts'

import { tables } from './store/rows.ts'
import { onEachEngine, session, transcriptsFor } from './transcripts.fixture.ts'

const ada = callerFor('ada')

async function searchFixture(db: Db) {
  const { transcripts, needs } = transcriptsFor(db)
  const save = async (sessionKey: string, text: string, more: object = {}) => {
    const read = await transcripts.readInput({ harness: 'codex', transcript: text })
    await transcripts.saveSnapshot(db, { ...session, sessionKey, read, complete: true, ...more })
  }
  await save('s1', 'User: the parser drops tabs\nAssistant: the parser is fixed', {
    sessionId: 'i1',
  })
  await save('s2', 'User: why does the parser fail', { project: 'apollo' })
  await save('s3', 'User: 私は東京に住んでいます')
  await save('s4', 'User: the parser of bob', { agentId: 'bob' })
  const search = async (query: string, more: object = {}) =>
    searchSessions(needs, ada, { query, limit: 10, ...more })
  const keys = async (query: string, more: object = {}) =>
    (await search(query, more)).map(({ sessionKey }) => sessionKey)
  return { needs, search, keys }
}

onEachEngine('searches the agent’s own sessions, the best first', async (db) => {
  const { search, keys } = await searchFixture(db)

  expect((await keys('parser')).toSorted()).toEqual(['s1', 's2'])
  expect(await keys('tabs parser')).toEqual(['s1', 's2'])
  expect((await search('tabs'))[0]).toMatchObject({
    sessionKey: 's1',
    project: null,
    excerpt: 'the parser drops tabs the parser is fixed',
  })
  expect(await keys('bob')).toEqual([])
  expect(await keys('"( OR NEAR')).toEqual([])
  expect(await keys(`parser ${'a_'.repeat(4000)}`)).toHaveLength(2)
  expect(await keys('   !?')).toEqual([])
})

onEachEngine('finds a session by key, id or substring', async (db) => {
  const { search, keys } = await searchFixture(db)

  for (const name of ['s1', 'session:s1', 'i1'])
    expect(await search(name)).toMatchObject([{ sessionKey: 's1', rank: 0 }])
  expect(await search('arse')).toMatchObject([{ rank: 1 }, { rank: 1 }])
  expect(await keys('東京に')).toEqual(['s3'])
})

onEachEngine(
  'filters by session, project and token and excludes the calling session',
  async (db) => {
    const { needs, keys } = await searchFixture(db)
    const inApollo = { ...ada, scope: { project: 'apollo' } }

    expect(await keys('parser', { sessionKey: 's2' })).toEqual(['s2'])
    expect(await keys('parser', { project: 'apollo' })).toEqual(['s2'])
    for (const key of ['s2', 'session:s2', ' session: s2'])
      expect(await keys('parser', { currentSessionKey: key })).toEqual(['s1'])
    expect(await keys('parser', { excludedSessions: ['s1', 'session:s2'] })).toEqual([])
    expect(await keys('parser', { currentSessionKey: 's1:subagent:x' })).toEqual(['s1'])
    const hits = await searchSessions(needs, inApollo, { query: 'parser', limit: 10 })
    expect(hits.map(({ sessionKey }) => sessionKey)).toEqual(['s2'])
    await expect(
      searchSessions(needs, inApollo, { query: 'parser', project: 'gemini', limit: 10 }),
    ).rejects.toMatchObject({ kind: 'forbidden' })
  },
)

onEachEngine('a time filter finds sessions active in the interval', async (db) => {
  const { needs, keys } = await searchFixture(db)
  const spans = [
    ['s1', '2025-06-01T00:00:00.000Z', '2025-06-03T00:00:00.000Z'],
    ['s2', '2025-06-04T00:00:00.000Z', '2025-06-09T00:00:00.000Z'],
  ] as const
  for (const [sessionKey, createdAt, updatedAt] of spans)
    await tables(needs.db)
      .updateTable('sessionTranscripts')
      .set({ createdAt, updatedAt })
      .where('sessionKey', '=', sessionKey)
      .execute()
  const during = (start: string, end: string) =>
    keys('parser', { during: { start: `2025-06-${start}`, end: `2025-06-${end}` } })

  expect(await during('02T', '02U')).toEqual(['s1'])
  expect(await during('03T00:00:00.000Z', '04T00:00:00.000Z')).toEqual(['s1'])
  expect(await during('03T12', '05')).toEqual(['s2'])
  expect((await during('01', '30')).toSorted()).toEqual(['s1', 's2'])
  expect(await during('10', '30')).toEqual([])
})

onEachEngine('shows only the matching part of a long session', async (db) => {
  const { transcripts, needs } = transcriptsFor(db)
  const filler = 'Assistant: and so on it went for quite a while without an end\n'.repeat(300)
  const transcript = `${filler}User: where is the zebra\n${filler}`
  const read = await transcripts.readInput({ harness: 'codex', transcript })
  await transcripts.saveSnapshot(db, { ...session, read, complete: true })

  const [hit] = await searchSessions(needs, ada, { query: 'zebra', limit: 1 })

  expect(hit?.excerpt).toMatch(/^\.\.\..*where is the zebra.*\.\.\.$/)
  expect(hit?.excerpt.length).toBeLessThanOrEqual(320)
})

test.each([
  ['s1:subagent:2', 's1'],
  ['agent:ada:subagent:2', 'agent:ada:main'],
  ['s1/subagents/agent-2', 's1'],
  ['s1', undefined],
  [':subagent:2', undefined],
])('%s is a sub-agent session of %s', (key, parent) => {
  expect(parentOf(key)).toBe(parent)
})

test('an excerpt contains no credential that a line break separated from its name', () => {
  const text = 'User: the password\nis rosebud2024\nAssistant: a'

  expect(
    makeExcerpt(text, { words: [], isCut: { before: false, after: false }, maxLength: 320 }),
  ).toBe('the password is [REDACTED] a')
})

test('an excerpt without a cut is the text without labels', () => {
  const uncut = { before: false, after: false }

  expect(makeExcerpt('User: a\nAssistant: b', { words: ['b'], isCut: uncut, maxLength: 320 })).toBe(
    'a b',
  )
})

test('a third of the excerpt precedes the word', () => {
  const isCut = { before: true, after: true }
  const excerpt = makeExcerpt(`${'a '.repeat(400)}zebra ${'b '.repeat(400)}`, {
    words: ['lion', 'zebra'],
    isCut,
    maxLength: 320,
  })

  expect(excerpt.length).toBeGreaterThan(310)
  expect(excerpt.length).toBeLessThanOrEqual(320)
  expect(excerpt.indexOf('zebra')).toBeGreaterThan(100)
  expect(excerpt.indexOf('zebra')).toBeLessThan(125)
  expect(excerpt).toMatch(/^\.\.\..*\.\.\.$/)
})

onEachEngine('finds a growing session by all of its text and nothing else', async (db) => {
  const { transcripts, needs } = transcriptsFor(db)
  const find = async (query: string) =>
    (await searchSessions(needs, ada, { query, limit: 10 })).map(({ sessionKey }) => sessionKey)
  const append = (text: string) =>
    transcripts.appendLive(db, { ...session, turns: [{ role: 'user', text }] })
  for (const text of ['paint the barn', 'feed the geese 🪿', 'mend the gate']) await append(text)
  expect(await find('barn')).toEqual(['s1'])
  expect(await find('gate geese')).toEqual(['s1'])

  const transcript = `User: sow the clover ${'again '.repeat(20)}`
  const read = await transcripts.readInput({ harness: 'codex', transcript })
  await transcripts.saveSnapshot(db, { ...session, read, complete: false })
  for (const word of ['barn', 'geese', 'gate']) expect(await find(word)).toEqual([])
  expect(await find('clover')).toEqual(['s1'])
  await transcripts.agentRemoval.purge(db, 'ada')
  expect(await find('clover')).toEqual([])
})

onEachEngine('indexes only the appended text of a session', async (db) => {
  const { transcripts } = transcriptsFor(db)
  const listPieces = () =>
    tables(db).selectFrom('sessionTranscriptPieces').select('position').execute()
  const append = (text: string) =>
    transcripts.appendLive(db, { ...session, turns: [{ role: 'user', text }] })
  await append('paint the barn')
  const [first] = await listPieces()
  await append('feed the geese')
  expect(await listPieces()).toEqual([first, expect.anything()])

  const read = await transcripts.readInput({
    harness: 'codex',
    transcript: `User: sow the clover ${'again '.repeat(20)}`,
  })
  await transcripts.saveSnapshot(db, { ...session, read, complete: false })
  const replaced = await listPieces()
  expect(replaced).toHaveLength(1)
  expect(replaced).not.toEqual([first])
})
