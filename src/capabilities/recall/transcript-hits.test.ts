import { expect, test } from 'vitest'
import type { Caller } from '../../kernel/auth/caller.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import type { TranscriptHit } from './needs.ts'
import { ask, insert, onEachEngine, recallNeeds } from './recall.fixture.ts'
import { recall } from './recall.ts'
import type { Candidate } from './result.ts'
import { appendTranscriptHits } from './transcript-hits.ts'

const ada = callerFor('ada')
const said = (sessionKey: string, text: string, day = '03'): TranscriptHit => ({
  sessionKey,
  text,
  project: null,
  updatedAt: `2026-01-${day}T00:00:00.000Z`,
})

interface Asked extends Readonly<Record<string, unknown>> {
  readonly found?: readonly Candidate[]
}

const answerTo =
  (caller: Caller) =>
  async (
    query: string,
    spoken: readonly TranscriptHit[] | Error,
    { found = [], ...more }: Asked = {},
  ) => {
    const search = async () => {
      if (spoken instanceof Error) throw spoken
      return spoken
    }
    const transcripts = { search, listSummaries: async () => [] }
    const needs = { log: createLog('silent'), transcripts }
    const rows = await appendTranscriptHits(needs, caller, {
      request: ask(query, more),
      candidates: found,
      during: undefined,
    })
    return rows.map(({ row }) => row)
  }
const answer = answerTo(ada)

test('returns transcripts that contain half of the words, with a lower score than memories', async () => {
  const spoken = [
    said('one', 'the okapi sleeps'),
    said('two', 'the okapi sleeps under trees'),
    said('none', 'under which of them'),
  ]

  const rows = await answer('does the okapi sleep under trees', spoken)

  expect(rows.map(({ session_id: session, score }) => [session, score])).toEqual([
    ['one', 0.33],
    ['two', 0.5],
  ])
  expect(rows[0]).toMatchObject({ id: 'transcript:one', type: 'transcript', supplementary: true })
  expect(rows[0]).not.toHaveProperty('explain')
  const [explained] = await answer('okapi', spoken, { explain: true })
  expect(explained?.explain?.stages).toEqual([
    { name: 'transcript', score: 0.5, reason: expect.stringContaining('words') },
  ])
})

test('transcript hits rank after all memories', async () => {
  const row = { score: 0.7 } as Candidate['row']
  const found: readonly Candidate[] = [{ row, memory: undefined }]
  const spoken = [said('one', 'okapi')]

  const rows = await answer('okapi', spoken, { found, expand: true })

  expect(rows.map(({ score }) => score)).toEqual([0.7, 0.5])
  expect(await answer('okapi', spoken, { found })).toEqual([row])
})

test.each([
  ['okapi', 'the okapi sleeps'],
  ['Wo schläft das Okapi?', 'das Okapi schläft im Stall'],
])('weak rows for %j come with transcript hits', async (query, text) => {
  const row = { score: 0.4 } as Candidate['row']
  const rows = await answer(query, [said('one', text)], { found: [{ row, memory: undefined }] })

  expect(rows.map(({ id, score }) => [id, score])).toEqual([
    [undefined, 0.4],
    ['transcript:one', expect.closeTo(0.4, 1)],
  ])
})

test('applies since and until, and returns no transcripts for memory filters', async () => {
  const spoken = [said('one', 'okapi'), said('two', 'okapi', '05')]
  const ids = async (more: Asked) => (await answer('okapi', spoken, more)).map(({ id }) => id)

  expect(await ids({ since: '2026-01-04T00:00:00.000Z' })).toEqual(['transcript:two'])
  expect(await ids({ until: '2026-01-04T00:00:00.000Z' })).toEqual(['transcript:one'])
  for (const filter of [{ type: 'fact' }, { tags: 'a' }, { pinned: true }, { asOf: '2026-01-01' }])
    expect(await ids(filter)).toEqual([])
})

test('aggregate includes transcript hits', async () => {
  expect(await answer('okapi', [said('one', 'okapi')], { aggregate: true })).toHaveLength(1)
})

onEachEngine('a time range returns transcripts if no memory matches', async (db) => {
  const { needs } = await recallNeeds(db)
  const requests: unknown[] = []
  const search = async (_: Caller, more: unknown) => {
    requests.push(more)
    return [said('one', 'the okapi sleeps')]
  }
  const transcripts = { ...needs.transcripts, search }
  const hear = async (query: string, more: object = {}) => {
    const { results } = await recall({ ...needs, transcripts }, ada, ask(query, more))
    return results.map(({ id }) => id)
  }
  const time = { start: '2026-01-03T00:00:00Z', end: '2026-01-04T00:00:00Z' }
  const during = { start: '2026-01-03T00:00:00.000Z', end: '2026-01-04T00:00:00.000Z' }
  const day = { start: new Date(2026, 0, 3), end: new Date(2026, 0, 4) }
  const ofDay = { start: day.start.toISOString(), end: day.end.toISOString() }

  expect(await hear('when did the okapi sleep', { time })).toEqual(['transcript:one'])
  expect(await hear('okapi sleeping on 2026-01-03')).toEqual(['transcript:one'])
  expect(requests).toMatchObject([
    { query: 'okapi sleep', during },
    { query: 'okapi sleeping', during: ofDay },
  ])
  expect(await hear('what did I do', { time })).toEqual([])
  expect(await hear('okapi', { time: { ...time, facets: ['captured'] } })).toEqual([])
  expect(requests).toHaveLength(2)

  await insert(db, { id: 'a', content: 'okapi', createdAt: '2026-01-03T12:00:00.000Z' })
  expect(await hear('okapi', { time })).toEqual(['a'])
  expect(await hear('okapi', { time, expand: true })).toEqual(['a', 'transcript:one'])
  await insert(db, { id: 'b', content: 'the zebra of 2026-02-03' })
  expect(await hear('zebra on 2026-02-03', { expand: true })).toEqual(['b'])
  expect(requests.at(-1)).toMatchObject({ during: undefined })
})

test('a project scope excludes transcripts of other projects', async () => {
  const answer = answerTo({ ...ada, scope: { project: 'apollo' } })
  const spoken = [said('one', 'okapi')]

  expect(await answer('okapi', spoken, { project: 'gemini' })).toEqual([])
  expect(await answer('okapi', spoken, { project: 'apollo' })).toHaveLength(1)
  expect(await answer('okapi', spoken)).toHaveLength(1)
})

test('adds nothing for stop words, or when the transcript search fails', async () => {
  expect(await answer('what about the', [said('one', 'what about the')])).toEqual([])
  expect(await answer('okapi', new Error('out of reach'))).toEqual([])
})
