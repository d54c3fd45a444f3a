import { expect } from 'vitest'
import type { ReadScope } from '../../kernel/db/read-scope.ts'
import { ada, asking, type Case, found, like } from './harness.fixture.ts'

/** By what a memory is found, and in which order. */
export const finding: readonly Case[] = [
  {
    name: 'hints count for the agent who left them, and never as much as words',
    holds: async ({ keep, hint, open }) => {
      const engine = await open()
      await keep('one', 'Jonas fixed it', { visibility: 'global' })
      await hint('one', 'ada', 'who repaired the weathervane')
      await hint('one', 'bob', 'who repaired the carillon')
      const readScope = { ...ada, agentId: 'bob', policy: 'shared' } as const

      const { candidates } = await engine.search(asking('weathervane'))

      expect(candidates).toMatchObject([{ id: 'one', source: 'hint' }])
      expect(candidates[0]?.score).toBeLessThanOrEqual(0.75)
      for (const hint of ['weathervane', 'carillon'])
        expect(await found(engine, hint, { readScope })).toEqual([])
    },
  },
  {
    name: 'a hint that says what is asked is found among many that share a word of it',
    byMeaning: true,
    holds: async ({ keep, hint, embed, open }) => {
      const engine = await open()
      for (let number = 0; number < 30; number++) {
        await keep(`build-${number}`, `Build ${number} of the main branch has failed`)
        await embed(`build-${number}`, 'tiny', [[0.5, 0.75 ** 0.5]])
      }
      await keep('marta', 'Ask Marta in the corner office')
      await embed('marta', 'tiny', [[0, 1]])
      await hint('marta', 'ada', 'who signs the release build')

      for (const question of ['who signs the release build', 'who signs builds']) {
        const [best] = (await engine.search(asking(question, like('tiny', 1, 0)))).candidates
        expect(best).toMatchObject({ id: 'marta', source: 'hint' })
      }
      expect((await found(engine, 'the main branch', like('tiny', 1, 0)))[0]).toMatch('build')
    },
  },
  {
    name: 'vectors find what words do not, each among those of its own identity',
    byMeaning: true,
    holds: async ({ keep, embed, open }) => {
      const engine = await open()
      for (const [id, content] of [
        ['one', 'a feline'],
        ['two', 'an engine'],
        ['three', 'a motor'],
      ] as const)
        await keep(id, content)
      await embed('one', 'tiny', [[1, 0]])
      await embed('two', 'tiny', [[0, 1]])
      await embed('three', 'tiny', [[0.6, 0.8]])
      await embed('two', 'large', [[1, 0, 0]])

      expect(await found(engine, 'cat', like('tiny', 1, 0))).toEqual(['one', 'three'])
      expect(await found(engine, 'cat', like('large', 1, 0, 0))).toEqual(['two'])
      for (const other of [like('other', 1, 0), like('tiny', 1, 0, 0)])
        expect(await found(engine, 'cat', other)).toEqual([])
      const { candidates } = await engine.search(asking('cat', like('tiny', 1, 0)))
      expect(candidates[1]?.evidence.vector).toBeCloseTo(0.6, 2)
      expect(candidates[0]?.source).toBe('vector')
    },
  },
  {
    name: 'a long text is as near as its best passage, and other words let go of their vectors',
    byMeaning: true,
    holds: async ({ keep, change, embed, open }) => {
      const engine = await open()
      await keep('long', 'a novel of many chapters')
      await embed('long', 'tiny', [
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, 1],
      ])
      expect(await found(engine, 'cat', like('tiny', 1, 0, 0))).toEqual(['long'])

      await change('long', { content: 'a leaflet' })
      expect(await found(engine, 'cat', like('tiny', 1, 0, 0))).toEqual([])
      await embed('long', 'tiny', [[0, 0, 1]])
      expect(await found(engine, 'cat', like('tiny', 1, 0, 0))).toEqual([])
      expect(await found(engine, 'cat', like('tiny', 0, 0, 1))).toEqual(['long'])
      await change('long', { pinned: 1 })
      expect(await found(engine, 'cat', like('tiny', 0, 0, 1))).toEqual(['long'])
    },
  },
  {
    name: 'a note that says more of what the best one is about comes before others that match as well',
    holds: async ({ keep, open }) => {
      const engine = await open()
      await keep('which', 'Regatta of Cascais: thirty boats')
      await keep('where', 'Regatta of Cascais: its place is the marina')
      await keep('other', 'Market of Sintra: its place is the square')

      const { candidates } = await engine.search({
        ...asking('the place of what has thirty boats'),
        explain: true,
      })

      expect(candidates.map(({ id }) => id)).toEqual(['which', 'where', 'other'])
      expect(candidates[1]?.stages?.map(({ name }) => name)).toContain('kinship')
    },
  },
  {
    name: 'scripts without spaces are found by their characters, and names by accents or none',
    holds: async ({ keep, open }) => {
      const engine = await open()
      await keep('chinese', '我喜欢猫')
      await keep('thai', 'แมวนอนหลับ')
      await keep('accents', "Zoë's naïve café")

      expect(await found(engine, '喜欢')).toEqual(['chinese'])
      expect(await found(engine, 'นอน')).toEqual(['thai'])
      expect(await found(engine, 'CAFE')).toEqual(['accents'])
      const scoreOf = async (question: string) =>
        (await engine.search(asking(question))).candidates[0]?.score
      expect(await scoreOf('我喜欢')).toBe(1)
      // A single character in common says little.
      expect(await scoreOf('生日喜事')).toBeLessThan(0.4)
    },
  },
  {
    name: 'a question of any form is answered, if with nothing',
    holds: async ({ keep, open }) => {
      const engine = await open()
      await keep('one', "it isn't a cat's 'cradle' & (a | b) !c <-> d:*")
      await keep('empty', '?!')
      const long = Array.from({ length: 3000 }, (_, number) => `word${number}`).join(' ')

      for (const nothing of ['', ' ', '?!…', "''", '\\', 'the of and', '\ud800', 'zyzzyva', long])
        expect([nothing.slice(0, 9), await found(engine, nothing)]).toEqual([
          nothing.slice(0, 9),
          [],
        ])
      for (const odd of ["'cradle'", 'cradle & !c | <->', 'a:* cradle\\', `${long} cradle`])
        expect(await found(engine, odd)).toEqual(['one'])
    },
  },
  {
    name: 'no more than were asked for, the same in the same order, of equals the newest first',
    holds: async ({ keep, open }) => {
      const engine = await open()
      for (const day of [3, 1, 5, 2, 4])
        await keep(`day-${day}`, 'a sail', {
          ...{ contentHash: `${day}`, createdAt: `2025-07-0${day}T00:00:00.000Z` },
        })
      await keep('best', 'a white sail')

      const first = await found(engine, 'white sail', { limit: 4 })

      expect(first).toEqual(['best', 'day-5', 'day-4', 'day-3'])
      expect(await found(engine, 'white sail', { limit: 4 })).toEqual(first)
    },
  },
  {
    name: 'who is named has said it, and what was said beside it in the session counts',
    holds: async ({ keep, open }) => {
      const engine = await open()
      const turns = [
        ['Ben', 'Where did you buy the telescope?'],
        ['Maria', 'In a tiny place by the harbour, years ago.'],
        ['Ben', 'We had soup for dinner.'],
      ] as const
      for (const [turn, [who, content]] of turns.entries()) {
        const createdAt = `2025-07-01T00:00:0${turn}.000Z`
        await keep(`turn-${turn}`, content, { who, sessionId: 's', createdAt })
      }

      const { candidates } = await engine.search(
        asking('Where did Maria buy the telescope?', { explain: true }),
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
    holds: async ({ keep, open }) => {
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
        await keep(`turn-${number}`, content, { who, sessionId: 'main', createdAt, ...more })
      }
      const windowOf = async (readScope: ReadScope) => {
        const query = asking('Where did Maria buy the telescope?', { readScope, explain: true })
        const { candidates } = await engine.search(query)
        const stages = candidates.find(({ id }) => id === 'turn-3')?.stages
        return stages?.find(({ name }) => name === 'window')?.score ?? 0
      }

      expect(await windowOf(ada)).toBeGreaterThan(0)
      expect(await windowOf({ ...ada, policy: 'shared' })).toBeGreaterThan(0)
      expect(await windowOf({ ...ada, project: 'north' })).toBeGreaterThan(0)
    },
  },
  {
    name: 'a session score counts hits of the same agent and project only',
    holds: async ({ keep, change, open }) => {
      const engine = await open()
      const sessionId = 'main'
      await keep('own', 'the telescope is in the attic', { sessionId })
      await keep('foreign', 'where the telescope and its stand are: the attic', {
        ...{ sessionId, agentId: 'bob', visibility: 'global' },
      })
      await keep('project', 'the telescope and its stand', { sessionId, project: 'north' })
      const sessionScore = async () => {
        const readScope = { ...ada, policy: 'shared' } as const
        const query = asking('where are the telescope and its stand', { readScope, explain: true })
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
    name: 'each row tells on request how it came to its score, and not otherwise',
    byMeaning: true,
    holds: async ({ keep, embed, open }) => {
      const engine = await open()
      await keep('one', 'a cat')
      await embed('one', 'tiny', [[1, 0]])
      const question = asking('cat', like('tiny', 1, 0))

      const [plain] = (await engine.search(question)).candidates
      const [told] = (await engine.search({ ...question, explain: true })).candidates

      expect(plain).toMatchObject({ source: 'hybrid', evidence: { lexical: 1, hint: 0 } })
      expect(plain?.stages).toBeUndefined()
      const names = ['lexical', 'vector', 'soft'].map((name) => expect.objectContaining({ name }))
      expect(told).toEqual({ ...plain, stages: expect.arrayContaining(names) })
    },
  },
]
