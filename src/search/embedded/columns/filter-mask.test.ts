import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Facts } from '../../feed.ts'
import { appendFacts, createColumns, markDead, writeFacts } from './columns.ts'
import { facts, mayAnswer, request } from './filter-mask.fixture.ts'
import { createMasks } from './filter-mask.ts'

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('append' as const), facts }) },
  fc.record({ does: fc.constant('write' as const), facts, slot: fc.nat(20) }),
  fc.record({ does: fc.constant('retire' as const), slot: fc.nat(20) }),
)

test('a mask equals the filters applied to each memory, after random changes', () => {
  const requests = fc.array(request, { minLength: 1, maxLength: 20, size: 'max' })
  const all = fc.array(change, { maxLength: 60, size: 'max' })
  let [hitCount, requestCount] = [0, 0]
  fc.assert(
    fc.property(all, requests, (changes, requests) => {
      const columns = createColumns()
      const masks = createMasks(columns)
      const rows: Rows = []
      for (const [at, one] of changes.entries()) {
        applyToBoth(columns, rows, one)
        const request = requests[at % requests.length]
        if (request && one.does !== 'retire') masks.read(request)
      }

      for (const request of requests) {
        const mask = masks.read(request)

        const may = rows.map((row) => row !== undefined && mayAnswer(row, request))
        expect([...mask]).toEqual(may.map(Number))
        expect(masks.read(request)).toBe(mask)
        const own = columns.dictionaries.agent.find('ada')
        expect([...masks.ownMask(mask, own)]).toEqual(
          may.map((may, slot) => Number(may && rows[slot]?.agent === 'ada')),
        )
        requestCount += 1
        if (may.includes(true)) hitCount += 1
      }
    }),
  )
  expect(hitCount).toBeGreaterThan(requestCount / 8)
})

test('a mask is rebuilt after more changes than are tracked', () => {
  const columns = createColumns()
  const masks = createMasks(columns)
  const [some] = fc.sample(facts, 1) as [Facts]
  const open = { ...some, agent: 'ada', visibility: 'global', scope: null, deleted: false }
  const row = { ...open, supersededAt: Number.POSITIVE_INFINITY }
  const scope: ReadScope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null }
  const request = { readScope: scope, filters: { scope: null } }
  for (let slot = 0; slot < 10; slot++) appendFacts(columns, row)
  masks.read(request)

  markDead(columns, 3)
  for (let change = 0; change < 5000; change++) writeFacts(columns, 5, row)

  expect([...masks.read(request)]).toEqual([1, 1, 1, 0, 1, 1, 1, 1, 1, 1])
})

type Rows = (Facts | undefined)[]

function applyToBoth(
  columns: ReturnType<typeof createColumns>,
  rows: Rows,
  one: typeof change extends fc.Arbitrary<infer Change> ? Change : never,
): void {
  if (one.does === 'append') {
    rows[appendFacts(columns, one.facts)] = one.facts
    return
  }
  const { slot } = one
  if (slot >= rows.length) return
  if (one.does === 'retire') markDead(columns, slot)
  else writeFacts(columns, slot, one.facts)
  rows[slot] = one.does === 'retire' ? undefined : one.facts
}
