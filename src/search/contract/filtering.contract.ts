import { expect } from 'vitest'
import { mayRead } from '../../kernel/db/read-scope.ts'
import type { EngineQuery } from '../engine.ts'
import { ada, all, asking, type Case, found, like } from './harness.fixture.ts'

/** An engine answers with what may be read and was asked for alone. */
export const narrowing: readonly Case[] = [
  {
    name: 'whoever asks finds what the read policy allows, and nothing else',
    holds: async ({ keep, open }) => {
      const engine = await open()
      const rows = ['ada', 'bob', 'eve'].flatMap((agentId) =>
        (['global', 'private', 'archived'] as const).flatMap((visibility) =>
          [null, 'apollo'].map((project) => ({ agentId, visibility, project })),
        ),
      )
      const idOf = (row: object) => Object.values(row).join()
      for (const row of rows) await keep(idOf(row), `a secret of ${idOf(row)}`, row)

      for (const policy of ['isolated', 'shared', 'group'] as const)
        for (const project of [null, 'apollo'])
          for (const groupAgents of [[], ['ada', 'bob']]) {
            const readScope = { agentId: 'ada', policy, groupAgents, project }
            const allowed = rows.filter((row) => mayRead(readScope, row)).map(idOf)
            expect(await all(engine, 'secret', { readScope, limit: 50 })).toEqual(
              allowed.toSorted(),
            )
          }
    },
  },
  {
    name: 'filters narrow an answer, each and all together',
    holds: async ({ keep, open }) => {
      const engine = await open()
      const special = {
        ...{ type: 'decision', who: 'Zoë', sourceType: 'note', project: 'apollo', pinned: 1 },
        ...{ importance: 0.9, tags: 'Red,50%_off', sessionId: 's', agentId: 'bob' },
        ...{ visibility: 'global', createdAt: '2025-07-01T00:00:00.000Z' },
      }
      await keep('plain', 'a boat', { tags: 'reddish' })
      await keep('special', 'a boat', special)
      await keep('other', 'a boat', { ...special, scope: 'harbour' })
      const readScope = { ...ada, policy: 'shared' } as const
      const filtered = (filters: Partial<EngineQuery['filters']>) =>
        all(engine, 'boat', { readScope, filters: { scope: null, ...filters } })

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
        { ids: ['special', 'other', 'nobody'] },
      ]
      for (const filter of one)
        expect([filter, await filtered(filter)]).toEqual([filter, ['special']])
      expect(await filtered(Object.assign({}, ...one))).toEqual(['special'])
      expect(await filtered({ until: '2025-06-30T00:00:00.000Z' })).toEqual(['plain'])
      expect(await filtered({ pinned: false })).toEqual(['plain'])
      expect(await filtered({ scope: 'harbour' })).toEqual(['other'])
      expect(await filtered({ tags: ['5%'] })).toEqual([])
      expect(await filtered({})).toEqual(['plain', 'special'])
      expect(await found(engine, 'boat', { ids: ['plain'] })).toEqual(['plain'])
      expect(await found(engine, 'boat', { ids: [] })).toEqual([])
    },
  },
  {
    name: 'what was superseded is out now, and was current as of then',
    holds: async ({ keep, open }) => {
      const engine = await open()
      const superseded = { supersededBy: 'new', supersededAt: '2025-08-01T00:00:00.000Z' }
      await keep('old', 'the mast is oak', superseded)
      await keep('new', 'the mast is steel', { createdAt: '2025-08-01T00:00:00.000Z' })
      await keep('lost', 'the mast is gone', { ...superseded, supersededAt: null })

      expect(await found(engine, 'mast')).toEqual(['new'])
      expect(await found(engine, 'mast', { asOf: '2025-07-01T00:00:00.000Z' })).toEqual(['old'])
      expect(await found(engine, 'mast', { asOf: '2025-08-01T00:00:00.000Z' })).toEqual(['new'])
      expect(await found(engine, 'mast', { asOf: '2025-05-01T00:00:00.000Z' })).toEqual([])
    },
  },
  {
    name: 'what was superseded ends with the source of what took its place, where that is older',
    holds: async ({ keep, change, open }) => {
      const engine = await open()
      const superseded = { supersededBy: 'new', supersededAt: '2026-01-01T00:00:00.000Z' }
      await keep('old', 'the mast is oak', { createdAt: '2025-01-01T00:00:00.000Z' })
      await keep('new', 'the mast is steel', { createdAt: '2025-06-01T00:00:00.000Z' })
      await keep('late', 'the mast is tin', { ...superseded, supersededBy: 'later' })
      await keep('later', 'the mast is gone', { createdAt: '2026-02-01T00:00:00.000Z' })
      await keep('lone', 'the mast is rope', { ...superseded, supersededBy: 'nobody' })
      await change('old', superseded)
      const mast = (day: string) => all(engine, 'mast', { asOf: `${day}T00:00:00.000Z` })

      expect(await mast('2025-05-31')).toEqual(['old'])
      expect(await mast('2025-06-01')).toEqual(['late', 'lone', 'new'])
      expect(await mast('2025-12-31')).toEqual(['late', 'lone', 'new'])
      expect(await mast('2026-01-01')).toEqual(['new'])
      expect(await all(engine, 'mast')).toEqual(['later', 'new'])
    },
  },
  {
    name: 'as of a day answers what was valid then, however many better ones were not',
    byMeaning: true,
    holds: async ({ keep, hold, embed, open }) => {
      const [first, last] = ['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z']
      const createdAt = '2019-01-01T00:00:00.000Z'
      for (let number = 0; number < 12; number++) {
        await keep(`over-${number}`, `kestrel nest ${number}`, { createdAt })
        await embed(`over-${number}`, 'tiny', [[1, number / 99]])
        await hold(`over-${number}`, first, last)
      }
      await keep('always', 'in the garden there is also a kestrel', { createdAt })
      await embed('always', 'tiny', [[0.6, 0.8]])
      await keep('again', 'in the orchard there was a kestrel as well', { createdAt })
      await hold('again', first, last)
      const engine = await open()
      await hold('again', '2023-01-01T00:00:00.000Z')
      const asked = { ...like('tiny', 1, 0), limit: 5 }
      const asOf = (day: string) =>
        all(engine, 'kestrel nest', { ...asked, asOf: `${day}T00:00:00.000Z` })

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
      expect(await found(engine, 'kestrel nest', asked)).toHaveLength(5)
      await engine.close()
      expect(await found(await open(), 'kestrel', { ...asked, asOf: last })).toEqual(['always'])
    },
  },
  {
    name: 'what comes of a source that is left out makes room for others, near or well said',
    byMeaning: true,
    holds: async ({ keep, embed, open }) => {
      const engine = await open()
      for (let number = 0; number < 12; number++) {
        await keep(`made-${number}`, `a kestrel ${number}`, { sourceType: 'made' })
        await embed(`made-${number}`, 'tiny', [[1, 0]])
      }
      await keep('one', 'somewhere there is a kestrel')
      await keep('two', 'a note without the bird')
      for (const id of ['one', 'two']) await embed(id, 'tiny', [[0.6, 0.8]])
      const asked = { ...like('tiny', 1, 0), limit: 3, exceptSourceType: 'made' }

      expect(await all(engine, 'kestrel', asked)).toEqual(['one', 'two'])
      const near = { ...asking(''), id: 'one', identity: 'tiny', limit: 3 }
      const similar = async (more: object) =>
        (await engine.similar({ ...near, ...more }))?.candidates.map(({ id }) => id)
      expect(await similar({ exceptSourceType: 'made' })).toEqual(['two'])
      expect(await similar({})).toHaveLength(3)
      expect(await similar({ id: 'made-1', exceptSourceType: 'made' })).toHaveLength(2)
    },
  },
  {
    name: 'the nearest to a memory are those that who asks may read, itself left out',
    byMeaning: true,
    holds: async ({ keep, change, embed, open }) => {
      const engine = await open()
      const near = { one: [1, 0], two: [0.8, 0.6], three: [0.6, 0.8], four: [-1, 0] }
      for (const [id, vector] of Object.entries(near)) {
        await keep(id, id, id === 'three' ? { agentId: 'bob' } : { type: id })
        await embed(id, 'tiny', [vector])
      }
      const similar = async (id: string, more: object = {}) => {
        const answer = await engine.similar({ ...asking(''), id, identity: 'tiny', ...more })
        return answer?.candidates.map(({ id }) => id)
      }

      expect(await similar('one')).toEqual(['two'])
      await keep('old', 'old', { supersededBy: 'one', supersededAt: '2025-08-01T00:00:00.000Z' })
      await keep('elsewhere', 'elsewhere', { scope: 'harbour' })
      for (const id of ['old', 'elsewhere']) await embed(id, 'tiny', [[1, 0]])
      expect(await similar('old')).toEqual(['one', 'two'])
      expect(await similar('two')).toEqual(['one'])
      expect(await similar('elsewhere')).toBeUndefined()
      expect(await similar('elsewhere', { filters: { scope: 'harbour' } })).toEqual([])
      expect(await similar('one', { filters: { scope: null, type: 'four' } })).toEqual([])
      for (const [id, identity] of [['three'], ['nobody'], ['one', 'other']] as const)
        expect(await similar(id, identity && { identity })).toBeUndefined()
      const own = { ...ada, agentId: 'bob' }
      expect(await similar('three', { readScope: own })).toEqual([])

      // Its vector is of other words.
      await change('two', { content: 'another two' })
      expect(await similar('two')).toBeUndefined()
      expect(await similar('one')).toEqual([])
    },
  },
]
