import { expect } from 'vitest'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import {
  type ContractCase,
  findIds,
  queryFor,
  readerScope,
  vectorQuery,
} from './harness.fixture.ts'

/** What matches, and in which order. */
export const rankingCases: readonly ContractCase[] = [
  {
    name: 'hints count for their agent only, with a capped score',
    run: async ({ insert, hint, open }) => {
      const engine = await open()
      await insert('one', 'Jonas fixed it', { visibility: 'global' })
      await hint('one', 'ada', 'who repaired the weathervane')
      await hint('one', 'bob', 'who repaired the carillon')
      const readScope = { ...readerScope, agentId: 'bob', policy: 'shared' } as const

      const { candidates } = await engine.search(queryFor('weathervane'))

      expect(candidates).toMatchObject([{ id: 'one', source: 'hint' }])
      expect(candidates[0]?.score).toBeLessThanOrEqual(0.75)
      for (const hint of ['weathervane', 'carillon'])
        expect(await findIds(engine, hint, { readScope })).toEqual([])
    },
  },
  {
    name: 'a question finds texts in other languages',
    run: async ({ insert, open }) => {
      const engine = await open()
      await insert('german', 'Der Schlüssel liegt im Keller')
      await insert('chinese', '钥匙在地下室')
      await insert('english', 'The bicycle stands in the garage')
      await insert('noise', 'A sailor sang')

      const found = await findIds(engine, 'where in the basement is the key')
      expect(new Set(found)).toEqual(new Set(['german', 'chinese']))
      expect(await findIds(engine, 'Wo steht das Fahrrad?')).toEqual(['english'])
      expect((await findIds(engine, '自行车在哪里'))[0]).toBe('english')
      expect(await findIds(engine, '¿dónde está la bicicleta?')).toEqual(['english'])
    },
  },
  {
    name: 'a matching hint ranks above partial matches',
    needsVectors: true,
    run: async ({ insert, hint, embed, open }) => {
      const engine = await open()
      for (let number = 0; number < 30; number++) {
        await insert(`build-${number}`, `Build ${number} of the main branch has failed`)
        await embed(`build-${number}`, 'tiny', [[0.5, 0.75 ** 0.5]])
      }
      await insert('marta', 'Ask Marta in the corner office')
      await embed('marta', 'tiny', [[0, 1]])
      await hint('marta', 'ada', 'who signs the release build')

      for (const question of ['who signs the release build', 'who signs builds']) {
        const [best] = (await engine.search(queryFor(question, vectorQuery('tiny', 1, 0))))
          .candidates
        expect(best).toMatchObject({ id: 'marta', source: 'hint' })
      }
      expect((await findIds(engine, 'the main branch', vectorQuery('tiny', 1, 0)))[0]).toMatch(
        'build',
      )
    },
  },
  {
    name: 'vectors find texts without common words, within their model',
    needsVectors: true,
    run: async ({ insert, embed, open }) => {
      const engine = await open()
      for (const [id, content] of [
        ['one', 'a feline'],
        ['two', 'an engine'],
        ['three', 'a motor'],
      ] as const)
        await insert(id, content)
      await embed('one', 'tiny', [[1, 0]])
      await embed('two', 'tiny', [[0, 1]])
      await embed('three', 'tiny', [[0.6, 0.8]])
      await embed('two', 'large', [[1, 0, 0]])

      expect(await findIds(engine, 'cat', vectorQuery('tiny', 1, 0))).toEqual(['one', 'three'])
      expect(await findIds(engine, 'cat', vectorQuery('large', 1, 0, 0))).toEqual(['two'])
      for (const other of [vectorQuery('other', 1, 0), vectorQuery('tiny', 1, 0, 0)])
        expect(await findIds(engine, 'cat', other)).toEqual([])
      const { candidates } = await engine.search(queryFor('cat', vectorQuery('tiny', 1, 0)))
      expect(candidates[1]?.evidence.vector).toBeCloseTo(0.6, 2)
      expect(candidates[0]?.source).toBe('vector')
    },
  },
  {
    name: 'the best passage counts for a long text, and a change drops the vectors',
    needsVectors: true,
    run: async ({ insert, change, embed, open }) => {
      const engine = await open()
      await insert('long', 'a novel of many chapters')
      await embed('long', 'tiny', [
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, 1],
      ])
      expect(await findIds(engine, 'cat', vectorQuery('tiny', 1, 0, 0))).toEqual(['long'])

      await change('long', { content: 'a leaflet' })
      expect(await findIds(engine, 'cat', vectorQuery('tiny', 1, 0, 0))).toEqual([])
      await embed('long', 'tiny', [[0, 0, 1]])
      expect(await findIds(engine, 'cat', vectorQuery('tiny', 1, 0, 0))).toEqual([])
      expect(await findIds(engine, 'cat', vectorQuery('tiny', 0, 0, 1))).toEqual(['long'])
      await change('long', { pinned: 1 })
      expect(await findIds(engine, 'cat', vectorQuery('tiny', 0, 0, 1))).toEqual(['long'])
    },
  },
  {
    name: 'a note about the subject of the best note ranks above equal matches',
    run: async ({ insert, open }) => {
      const engine = await open()
      await insert('which', 'Regatta of Cascais: thirty boats')
      await insert('where', 'Regatta of Cascais: its place is the marina')
      await insert('other', 'Market of Sintra: its place is the square')

      const { candidates } = await engine.search({
        ...queryFor('the place of what has thirty boats'),
        explain: true,
      })

      expect(candidates.map(({ id }) => id)).toEqual(['which', 'where', 'other'])
      expect(candidates[1]?.stages?.map(({ name }) => name)).toContain('kinship')
    },
  },
  {
    name: 'scripts without spaces are searched by characters, and accents are ignored',
    run: async ({ insert, open }) => {
      const engine = await open()
      await insert('chinese', '我喜欢猫')
      await insert('thai', 'แมวนอนหลับ')
      await insert('accents', "Zoë's naïve café")

      expect(await findIds(engine, '喜欢')).toEqual(['chinese'])
      expect(await findIds(engine, 'นอน')).toEqual(['thai'])
      expect(await findIds(engine, 'CAFE')).toEqual(['accents'])
      const scoreOf = async (question: string) =>
        (await engine.search(queryFor(question))).candidates[0]?.score
      expect(await scoreOf('我喜欢')).toBe(1)
      // A single common character counts little.
      expect(await scoreOf('生日喜事')).toBeLessThan(0.4)
    },
  },
  {
    name: 'malformed queries are answered',
    run: async ({ insert, open }) => {
      const engine = await open()
      await insert('one', "it isn't a cat's 'cradle' & (a | b) !c <-> d:*")
      await insert('empty', '?!')
      const long = Array.from({ length: 3000 }, (_, number) => `word${number}`).join(' ')

      for (const nothing of ['', ' ', '?!…', "''", '\\', 'the of and', '\ud800', 'zyzzyva', long])
        expect([nothing.slice(0, 9), await findIds(engine, nothing)]).toEqual([
          nothing.slice(0, 9),
          [],
        ])
      for (const odd of ["'cradle'", 'cradle & !c | <->', 'a:* cradle\\', `${long} cradle`])
        expect(await findIds(engine, odd)).toEqual(['one'])
    },
  },
  {
    name: 'answers respect the limit, are stable, and prefer newer memories on ties',
    run: async ({ insert, open }) => {
      const engine = await open()
      for (const day of [3, 1, 5, 2, 4])
        await insert(`day-${day}`, 'a sail', {
          contentHash: `${day}`,
          createdAt: `2025-07-0${day}T00:00:00.000Z`,
        })
      await insert('best', 'a white sail')

      const first = await findIds(engine, 'white sail', { limit: 4 })

      expect(first).toEqual(['best', 'day-5', 'day-4', 'day-3'])
      expect(await findIds(engine, 'white sail', { limit: 4 })).toEqual(first)
    },
  },
  {
    name: 'a named speaker and session neighbours raise a message',
    run: async ({ insert, open }) => {
      const engine = await open()
      const turns = [
        ['Ben', 'Where did you buy the telescope?'],
        ['Maria', 'In a tiny place by the harbour, years ago.'],
        ['Ben', 'We had soup for dinner.'],
      ] as const
      for (const [turn, [who, content]] of turns.entries()) {
        const createdAt = `2025-07-01T00:00:0${turn}.000Z`
        await insert(`turn-${turn}`, content, { who, sessionId: 's', createdAt })
      }

      const { candidates } = await engine.search(
        queryFor('Where did Maria buy the telescope?', { explain: true }),
      )

      expect(
        candidates
          .map(({ id }) => id)
          .slice(0, 2)
          .toSorted(),
      ).toEqual(['turn-0', 'turn-1'])
      const stages = candidates.find(({ id }) => id === 'turn-1')?.stages
      expect(stages?.map(({ name }) => name)).toEqual(expect.arrayContaining(['named', 'window']))
    },
  },
  {
    name: 'neighbours in a session are of the same agent and project',
    run: async ({ insert, open }) => {
      const engine = await open()
      const question = ['Ben', 'Where did you buy the telescope?'] as const
      const answer = ['Maria', 'In a tiny place by the harbour, years ago.'] as const
      const turns = [
        { turn: question, project: 'north' },
        { turn: ['Eve', 'Soup again?'], agentId: 'bob', visibility: 'global', project: 'north' },
        { turn: ['Eve', 'Soup again, then.'], project: 'south' },
        { turn: answer, project: 'north' },
      ] as const
      for (const [number, { turn, ...more }] of turns.entries()) {
        const createdAt = `2025-07-01T00:00:0${number}.000Z`
        const [who, content] = turn
        await insert(`turn-${number}`, content, { who, sessionId: 'main', createdAt, ...more })
      }
      const windowOf = async (readScope: ReadScope) => {
        const query = queryFor('Where did Maria buy the telescope?', { readScope, explain: true })
        const { candidates } = await engine.search(query)
        const stages = candidates.find(({ id }) => id === 'turn-3')?.stages
        return stages?.find(({ name }) => name === 'window')?.score ?? 0
      }

      expect(await windowOf(readerScope)).toBeGreaterThan(0)
      expect(await windowOf({ ...readerScope, policy: 'shared' })).toBeGreaterThan(0)
      expect(await windowOf({ ...readerScope, project: 'north' })).toBeGreaterThan(0)
    },
  },
  {
    name: 'a session score counts hits of the same agent and project only',
    run: async ({ insert, change, open }) => {
      const engine = await open()
      const sessionId = 'main'
      await insert('own', 'the telescope is in the attic', { sessionId })
      await insert('foreign', 'where the telescope and its stand are: the attic', {
        sessionId,
        agentId: 'bob',
        visibility: 'global',
      })
      await insert('project', 'the telescope and its stand', { sessionId, project: 'north' })
      const sessionScore = async () => {
        const readScope = { ...readerScope, policy: 'shared' } as const
        const query = queryFor('where are the telescope and its stand', {
          readScope,
          explain: true,
        })
        const { candidates } = await engine.search(query)
        expect(candidates).toHaveLength(3)
        const stages = candidates.find(({ id }) => id === 'own')?.stages
        return stages?.find(({ name }) => name === 'session')?.score
      }

      const shared = await sessionScore()
      await change('foreign', { sessionId: 'second' })
      await change('project', { sessionId: 'third' })

      expect(await sessionScore()).toBeCloseTo(shared ?? 0, 9)
      await change('project', { sessionId, project: null })
      expect(await sessionScore()).toBeGreaterThan(shared ?? 0)
    },
  },
  {
    name: 'explain returns the stages of each candidate',
    needsVectors: true,
    run: async ({ insert, embed, open }) => {
      const engine = await open()
      await insert('one', 'a cat')
      await embed('one', 'tiny', [[1, 0]])
      const question = queryFor('cat', vectorQuery('tiny', 1, 0))

      const [plain] = (await engine.search(question)).candidates
      const [explained] = (await engine.search({ ...question, explain: true })).candidates

      expect(plain).toMatchObject({ source: 'hybrid', evidence: { lexical: 1, hint: 0 } })
      expect(plain?.stages).toBeUndefined()
      const names = ['lexical', 'vector', 'soft'].map((name) => expect.objectContaining({ name }))
      expect(explained).toEqual({ ...plain, stages: expect.arrayContaining(names) })
    },
  },
]
