import { expect } from 'vitest'
import { EngineUnavailable } from '../engine.ts'
import { type ContractCase, findIds, findSorted, queryFor, vectorQuery } from './harness.fixture.ts'

/** The index follows commits. */
export const indexingCases: readonly ContractCase[] = [
  {
    name: 'a search finds what was committed before',
    run: async ({ insert, open }) => {
      const engine = await open()
      for (const number of [1, 2, 3, 4, 5]) {
        await insert(`memory-${number}`, `the password of safe number${number} is swordfish`)
        expect((await findIds(engine, `number${number}`))[0]).toBe(`memory-${number}`)
      }
    },
  },
  {
    name: 'changed and deleted memories are not found by their old text',
    run: async ({ insert, change, purge, open }) => {
      const engine = await open()
      await insert('one', 'the cat is grey')
      await insert('two', 'the dog is brown')
      await insert('three', 'the fox is red')
      expect(await findIds(engine, 'grey')).toEqual(['one'])

      await change('one', { content: 'the cat is black' })
      await change('two', { deletedAt: '2026-01-01T00:00:00.000Z' })
      await purge('three')

      for (const purgedId of ['grey', 'dog', 'fox'])
        expect(await findIds(engine, purgedId)).toEqual([])
      expect(await findIds(engine, 'black')).toEqual(['one'])
      await change('two', { deletedAt: null })
      expect(await findIds(engine, 'dog')).toEqual(['two'])
    },
  },
  {
    name: 'vectors of a changed text are ignored until the text returns',
    needsVectors: true,
    run: async ({ insert, change, embed, open }) => {
      const engine = await open()
      const near = vectorQuery('tiny', 1, 0)
      await insert('one', 'a feline and an engine')
      await embed('one', 'tiny', [[1, 0]])
      expect(await findIds(engine, 'cat', near)).toEqual(['one'])

      for (const content of ['a motor', 'an engine and a feline']) {
        await change('one', { content })
        expect([content, await findIds(engine, 'cat', near)]).toEqual([content, []])
        await change('one', { content: 'a feline and an engine' })
        expect(await findIds(engine, 'cat', near)).toEqual(['one'])
      }
    },
  },
  {
    name: 'a restart keeps the answers and finds later commits',
    needsVectors: true,
    run: async ({ insert, change, embed, purge, open }) => {
      const first = await open()
      for (const number of [1, 2, 3]) await insert(`memory-${number}`, `cat number${number}`)
      await embed('memory-1', 'tiny', [[1, 0]])
      const question = queryFor('cat', vectorQuery('tiny', 1, 0))
      const { candidates } = await first.search(question)
      expect(candidates).toHaveLength(3)
      await first.close()

      const second = await open()
      expect((await second.search(question)).candidates).toEqual(candidates)
      await second.close()
      await insert('memory-4', 'cat number4')
      await change('memory-2', { deletedAt: '2026-01-01T00:00:00.000Z' })
      await purge('memory-3')
      const third = await open()
      expect(await findSorted(third, 'cat', vectorQuery('tiny', 1, 0))).toEqual([
        'memory-1',
        'memory-4',
      ])
    },
  },
  {
    name: 'concurrent searches are answered, and searches after closing fail',
    run: async ({ insert, open }) => {
      const engine = await open()
      await insert('one', 'a cat')

      const answers = await Promise.all(Array.from({ length: 100 }, () => findIds(engine, 'cat')))
      await engine.close()

      expect(new Set(answers.flat())).toEqual(new Set(['one']))
      await expect(engine.search(queryFor('cat'))).rejects.toBeInstanceOf(EngineUnavailable)
      const similar = engine.similar({ ...queryFor(''), id: 'one', identity: 'tiny' })
      await expect(similar).rejects.toBeInstanceOf(EngineUnavailable)
    },
  },
  {
    name: 'health counts live memories and vectors',
    needsVectors: true,
    run: async ({ insert, change, embed, purge, open }) => {
      const engine = await open()
      for (const id of ['one', 'two', 'three']) await insert(id, id)
      await embed('one', 'tiny', [
        [1, 0],
        [0, 1],
      ])
      await embed('three', 'tiny', [[1, 0]])
      await change('two', { deletedAt: '2026-01-01T00:00:00.000Z' })
      await purge('three')

      const stored = { state: 'ready', rows: 1, vectors: 2, revision: 5 }
      await expect.poll(() => engine.health(), { timeout: 10_000 }).toEqual(stored)
    },
  },
]
