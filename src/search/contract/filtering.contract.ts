import { expect } from 'vitest'
import { mayRead } from '../../kernel/auth/read-scope.ts'
import type { EngineQuery } from '../engine.ts'
import {
  type ContractCase,
  findIds,
  findSorted,
  queryFor,
  readerScope,
  vectorQuery,
} from './harness.fixture.ts'

/** Answers contain only memories that are readable and match the filters. */
export const filteringCases: readonly ContractCase[] = [
  {
    name: 'answers contain exactly what the read policy allows',
    run: async ({ insert, open }) => {
      const engine = await open()
      const rows = ['ada', 'bob', 'eve'].flatMap((agentId) =>
        (['global', 'private', 'archived'] as const).flatMap((visibility) =>
          [null, 'apollo'].map((project) => ({ agentId, visibility, project })),
        ),
      )
      const idOf = (row: object) => Object.values(row).join()
      for (const row of rows) await insert(idOf(row), `a secret of ${idOf(row)}`, row)

      for (const policy of ['isolated', 'shared', 'group'] as const)
        for (const project of [null, 'apollo'])
          for (const groupAgents of [[], ['ada', 'bob']]) {
            const readScope = { agentId: 'ada', policy, groupAgents, project }
            const allowed = rows.filter((row) => mayRead(readScope, row)).map(idOf)
            expect(await findSorted(engine, 'secret', { readScope, limit: 50 })).toEqual(
              allowed.toSorted(),
            )
          }
    },
  },
  {
    name: 'each filter and their combination narrow the answer',
    run: async ({ insert, open }) => {
      const engine = await open()
      const special = {
        type: 'decision',
        who: 'Zoë',
        sourceType: 'note',
        project: 'apollo',
        pinned: 1,
        importance: 0.9,
        tags: 'Red,50%_off',
        sessionId: 's',
        agentId: 'bob',
        visibility: 'global',
        createdAt: '2025-07-01T00:00:00.000Z',
      }
      await insert('plain', 'a boat', { tags: 'reddish' })
      await insert('special', 'a boat', special)
      await insert('other', 'a boat', { ...special, scope: 'harbour' })
      const readScope = { ...readerScope, policy: 'shared' } as const
      const filtered = (filters: Partial<EngineQuery['filters']>) =>
        findSorted(engine, 'boat', { readScope, filters: { scope: null, ...filters } })

      const one = [
        { type: 'decision' },
        { who: 'Zoë' },
        { sourceType: 'note' },
        { project: 'apollo' },
        { pinned: true },
        { importanceMin: 0.9 },
        { tags: ['red', '50%_OFF'] },
        { sessionId: 's' },
        { agentId: 'bob' },
        { since: '2025-07-01T00:00:00.000Z' },
        { ids: ['special', 'other', 'missing'] },
      ]
      for (const filter of one)
        expect([filter, await filtered(filter)]).toEqual([filter, ['special']])
      expect(await filtered(Object.assign({}, ...one))).toEqual(['special'])
      expect(await filtered({ until: '2025-06-30T00:00:00.000Z' })).toEqual(['plain'])
      expect(await filtered({ pinned: false })).toEqual(['plain'])
      expect(await filtered({ scope: 'harbour' })).toEqual(['other'])
      expect(await filtered({ tags: ['5%'] })).toEqual([])
      expect(await filtered({})).toEqual(['plain', 'special'])
      expect(await findIds(engine, 'boat', { ids: ['plain'] })).toEqual(['plain'])
      expect(await findIds(engine, 'boat', { ids: [] })).toEqual([])
    },
  },
  {
    name: 'superseded memories are found only with an earlier asOf',
    run: async ({ insert, open }) => {
      const engine = await open()
      const superseded = { supersededBy: 'new', supersededAt: '2025-08-01T00:00:00.000Z' }
      await insert('old', 'the mast is oak', superseded)
      await insert('new', 'the mast is steel', { createdAt: '2025-08-01T00:00:00.000Z' })
      await insert('lost', 'the mast is gone', { ...superseded, supersededAt: null })

      expect(await findIds(engine, 'mast')).toEqual(['new'])
      expect(await findIds(engine, 'mast', { asOf: '2025-07-01T00:00:00.000Z' })).toEqual(['old'])
      expect(await findIds(engine, 'mast', { asOf: '2025-08-01T00:00:00.000Z' })).toEqual(['new'])
      expect(await findIds(engine, 'mast', { asOf: '2025-05-01T00:00:00.000Z' })).toEqual([])
    },
  },
  {
    name: 'a supersession takes effect at the creation of its successor if that is earlier',
    run: async ({ insert, change, open }) => {
      const engine = await open()
      const superseded = { supersededBy: 'new', supersededAt: '2026-01-01T00:00:00.000Z' }
      await insert('old', 'the mast is oak', { createdAt: '2025-01-01T00:00:00.000Z' })
      await insert('new', 'the mast is steel', { createdAt: '2025-06-01T00:00:00.000Z' })
      await insert('late', 'the mast is tin', { ...superseded, supersededBy: 'later' })
      await insert('later', 'the mast is gone', { createdAt: '2026-02-01T00:00:00.000Z' })
      await insert('lone', 'the mast is rope', { ...superseded, supersededBy: 'missing' })
      await change('old', superseded)
      const mast = (day: string) => findSorted(engine, 'mast', { asOf: `${day}T00:00:00.000Z` })

      expect(await mast('2025-05-31')).toEqual(['old'])
      expect(await mast('2025-06-01')).toEqual(['late', 'lone', 'new'])
      expect(await mast('2025-12-31')).toEqual(['late', 'lone', 'new'])
      expect(await mast('2026-01-01')).toEqual(['new'])
      expect(await findSorted(engine, 'mast')).toEqual(['later', 'new'])
    },
  },
  {
    name: 'asOf returns valid memories despite many better invalid ones',
    needsVectors: true,
    run: async ({ insert, addValidity, embed, open }) => {
      const [first, last] = ['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z']
      const createdAt = '2019-01-01T00:00:00.000Z'
      for (let number = 0; number < 12; number++) {
        await insert(`over-${number}`, `kestrel nest ${number}`, { createdAt })
        await embed(`over-${number}`, 'tiny', [[1, number / 99]])
        await addValidity(`over-${number}`, first, last)
      }
      await insert('always', 'in the garden there is also a kestrel', { createdAt })
      await embed('always', 'tiny', [[0.6, 0.8]])
      await insert('again', 'in the orchard there was a kestrel as well', { createdAt })
      await addValidity('again', first, last)
      const engine = await open()
      await addValidity('again', '2023-01-01T00:00:00.000Z')
      const queryOptions = { ...vectorQuery('tiny', 1, 0), limit: 5 }
      const asOf = (day: string) =>
        findSorted(engine, 'kestrel nest', { ...queryOptions, asOf: `${day}T00:00:00.000Z` })

      expect(await asOf('2024-01-01')).toEqual(['again', 'always'])
      expect(await asOf('2023-01-01')).toEqual(['again', 'always'])
      expect(await asOf('2022-12-31')).toEqual(['always'])
      expect(await asOf('2021-01-01')).toEqual(['always'])
      expect(await asOf('2019-12-31')).toEqual(['always'])
      for (const during of ['2020-01-01', '2020-12-31']) {
        const then = await asOf(during)
        expect(then).toHaveLength(5)
        expect(then.filter((id) => id.startsWith('over-')).length).toBeGreaterThan(2)
      }
      expect(await findIds(engine, 'kestrel nest', queryOptions)).toHaveLength(5)
      await engine.close()
      expect(await findIds(await open(), 'kestrel', { ...queryOptions, asOf: last })).toEqual([
        'always',
      ])
    },
  },
  {
    name: 'an excluded source type leaves room for others',
    needsVectors: true,
    run: async ({ insert, embed, open }) => {
      const engine = await open()
      for (let number = 0; number < 12; number++) {
        await insert(`made-${number}`, `a kestrel ${number}`, { sourceType: 'made' })
        await embed(`made-${number}`, 'tiny', [[1, 0]])
      }
      await insert('one', 'somewhere there is a kestrel')
      await insert('two', 'a note without the bird')
      for (const id of ['one', 'two']) await embed(id, 'tiny', [[0.6, 0.8]])
      const queryOptions = { ...vectorQuery('tiny', 1, 0), limit: 3, exceptSourceType: 'made' }

      expect(await findSorted(engine, 'kestrel', queryOptions)).toEqual(['one', 'two'])
      const near = { ...queryFor(''), id: 'one', identity: 'tiny', limit: 3 }
      const similar = async (more: object) =>
        (await engine.similar({ ...near, ...more }))?.candidates.map(({ id }) => id)
      expect(await similar({ exceptSourceType: 'made' })).toEqual(['two'])
      expect(await similar({})).toHaveLength(3)
      expect(await similar({ id: 'made-1', exceptSourceType: 'made' })).toHaveLength(2)
    },
  },
  {
    name: 'similar memories are readable and exclude the memory itself',
    needsVectors: true,
    run: async ({ insert, change, embed, open }) => {
      const engine = await open()
      const near = { one: [1, 0], two: [0.8, 0.6], three: [0.6, 0.8], four: [-1, 0] }
      for (const [id, vector] of Object.entries(near)) {
        await insert(id, id, id === 'three' ? { agentId: 'bob' } : { type: id })
        await embed(id, 'tiny', [vector])
      }
      const similar = async (id: string, more: object = {}) => {
        const answer = await engine.similar({ ...queryFor(''), id, identity: 'tiny', ...more })
        return answer?.candidates.map(({ id }) => id)
      }

      expect(await similar('one')).toEqual(['two'])
      await insert('old', 'old', { supersededBy: 'one', supersededAt: '2025-08-01T00:00:00.000Z' })
      await insert('elsewhere', 'elsewhere', { scope: 'harbour' })
      for (const id of ['old', 'elsewhere']) await embed(id, 'tiny', [[1, 0]])
      expect(await similar('old')).toEqual(['one', 'two'])
      expect(await similar('two')).toEqual(['one'])
      expect(await similar('elsewhere')).toBeUndefined()
      expect(await similar('elsewhere', { filters: { scope: 'harbour' } })).toEqual([])
      expect(await similar('one', { filters: { scope: null, type: 'four' } })).toEqual([])
      for (const [id, identity] of [['three'], ['missing'], ['one', 'other']] as const)
        expect(await similar(id, identity && { identity })).toBeUndefined()
      const own = { ...readerScope, agentId: 'bob' }
      expect(await similar('three', { readScope: own })).toEqual([])

      // Its vector belongs to another text.
      await change('two', { content: 'another two' })
      expect(await similar('two')).toBeUndefined()
      expect(await similar('one')).toEqual([])
    },
  },
]
