import { expect } from 'vitest'
import { type ContractCase, queryFor } from './harness.fixture.ts'

/** What is found only because the best text names it. */
export const relatedCases: readonly ContractCase[] = [
  {
    name: 'a note that shares a rare term with the best one is related, if the reader sees it',
    run: async ({ insert, open }) => {
      const engine = await open()
      for (let number = 0; number < 40; number++) await insert(`noise-${number}`, `lift ${number}`)
      await insert('best', 'The lift is repaired by Larkin')
      await insert('related', 'Larkin closed in spring')
      await insert('private', 'Larkin sings in the choir', { agentId: 'bob' })
      await insert('other', 'The lamp shines')
      const search = async (withRelated: boolean) => {
        const { candidates } = await engine.search(queryFor('repaired lift', { withRelated }))
        return candidates.filter(({ isRelated }) => isRelated).map(({ id }) => id)
      }

      expect(await search(true)).toEqual(['related'])
      expect(await search(false)).toEqual([])
    },
  },
]
