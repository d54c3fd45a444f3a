import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { searchSettings } from './config.ts'
import type { SearchCollection } from './needs.ts'
import { ask, insert, onEachEngine, recallNeeds, rows, stubEngine } from './recall.fixture.ts'
import { recall } from './recall.ts'

const ada = callerFor('ada')

/** Memories that are new, often used, liked, decisions or only similar, and others. */
async function answerWith(db: Db) {
  const { needs } = await recallNeeds(db)
  const now = needs.host.now()
  const lately = new Date(now.getTime() - 10 * 86_400_000).toISOString()
  const saved = ['used', 'liked', 'like', 'plain', 'faint'].map((id) => ({ id, content: 'tabs' }))
  await insert(
    ...[db, ...saved, { id: 'new', content: 'tabs', createdAt: lately }],
    { id: 'alike', content: 'spaces' },
    { id: 'decided', content: 'tabs', type: 'decision' },
  )
  await needs.memory.search.countAccess(['used'], { times: 9, at: lately })
  const opinion = { memoryId: 'liked', agentId: 'ada', key: 's', rating: 1, createdAt: lately }
  await rows(db).insertInto('memoryFeedback').values(opinion).execute()
  const found = [...saved.map(({ id }) => id), 'new', 'alike', 'decided']
  const source = (id: string) => (id === 'alike' ? ('vector' as const) : ('hybrid' as const))
  const score = (id: string) => (id === 'faint' ? 0.2 : 0.8)
  const played = stubEngine(found.map((id) => ({ id, source: source(id), score: score(id) })))

  const collections = sealedPoint(noteCollection())
  // What is answered here counts as no use: each answer is as the first.
  const counter = { record: () => {}, flush: async () => {} }

  return async (settings: z.input<typeof searchSettings>) => {
    const config = () => searchSettings.schema.parse(settings)
    const { results } = await recall(
      { ...needs, ...played, collections, config, counter },
      ada,
      ask('tabs', { limit: 9 }),
    )
    const scores = new Map(results.map(({ id, score }) => [id, score]))
    return { scoreOf: (id: string) => scores.get(id), query: played.queries.at(-1) }
  }
}

/** One text of a source that answers like the memories. */
function noteCollection(): SearchCollection {
  const { engine } = stubEngine([{ id: 'note', source: 'hybrid', score: 0.8 }])
  const text = { heading: 'Notes', content: 'tabs', createdAt: '2025-01-01T00:00:00.000Z' }
  const place = { source: 'source_notes_vault', sourceId: 'v', sourcePath: '/n.md' }
  const row = {
    id: 'note',
    shownId: 'note',
    agentId: 'ada',
    sourceName: 'Notes',
    ...place,
    ...text,
  }
  const health = () => ({ state: 'ready' as const, rows: 1, vectors: 0, revision: 1 })
  const isEmpty = () => false
  const listRows = async () => [row]
  return { name: 'source_chunks', engine: { ...engine, health }, isEmpty, listRows }
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof answerWith>>>>

const scoreOf = (id: string) => (answer: Answer) => answer.scoreOf(id)

/** Two values of each setting, and what is seen of an answer with the one and with the other. */
const effects: Record<
  string,
  readonly [one: unknown, other: unknown, seen: (answer: Answer) => unknown, expected: unknown[]]
> = {
  top_k: [10, 50, ({ query }) => query?.limit, [19, 50]],
  alpha: [0.2, 0.9, ({ query }) => query?.alpha, [0.2, 0.9]],
  min_confidence: [0.2, 0.99, scoreOf('used'), [0.88, undefined]],
  min_score: [0.1, 0.3, scoreOf('faint'), [0.2, undefined]],
  rehearsal_enabled: [true, false, scoreOf('used'), [0.88, 0.8]],
  rehearsal_weight: [0.1, 0.2, scoreOf('used'), [0.88, 0.96]],
  rehearsal_half_life_days: [30, 1, scoreOf('used'), [0.88, 0.8]],
  temporal_prior_enabled: [true, false, scoreOf('new'), [0.82, 0.8]],
  temporal_prior_weight: [0.15, 0.3, scoreOf('new'), [0.82, 0.85]],
  temporal_prior_half_life_days: [14, 1, scoreOf('new'), [0.82, 0.8]],
  feedback_weight: [0.3, 0.6, scoreOf('liked'), [0.88, 0.96]],
  dampening_enabled: [true, false, scoreOf('alike'), [0.4, 0.8]],
  source_weight: [0.9, 0.5, scoreOf('note'), [0.72, 0.4]],
  resolution_enabled: [true, false, scoreOf('decided'), [0.96, 0.8]],
}

test('every setting has a test of what it does', () => {
  const { properties } = z.toJSONSchema(searchSettings.schema, { io: 'input' })

  // The engine is created once; tests of the daemon cover its setting.
  const settings = Object.keys(properties ?? {}).filter((name) => name !== 'index')
  expect(Object.keys(effects).toSorted()).toEqual(settings.toSorted())
})

onEachEngine('every setting changes the result', async (db) => {
  const answer = await answerWith(db)

  for (const [setting, [one, other, seen, expected]] of Object.entries(effects)) {
    const answers = [await answer({ [setting]: one }), await answer({ [setting]: other })]
    expect(answers.map(seen), setting).toEqual(expected)
  }
})

test('a configured alpha raises the default of min_score', () => {
  expect(searchSettings.schema.parse({})).toMatchObject({ alpha: 0.7, min_score: 0.1 })
  expect(searchSettings.schema.parse({ alpha: 0.7 })).toMatchObject({ min_score: 0.3 })
  expect(searchSettings.schema.parse({ alpha: 0.7, min_score: 0 })).toMatchObject({ min_score: 0 })
})
