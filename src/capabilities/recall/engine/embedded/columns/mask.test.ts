import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayRead, type ReadScope } from '../../../../../kernel/db/read-scope.ts'
import type { Facts } from '../../feed-rows.ts'
import { readSpans, writeSpans } from '../../validity.ts'
import { appendFacts, createColumns, retire, writeFacts } from './columns.ts'
import type { MaskRequest } from './mask.ts'
import { createMasks } from './masks.ts'

const agents = ['ada', 'bob', 'eve']
const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'].map(
  (day) => `${day}T00:00:00.000Z`,
)
/** Where everything is asked for at once, nothing is found. */
const maybe = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, value)
const orNull = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, value)
const word = fc.constantFrom('one', 'two')
const day = fc.constantFrom(...days)

const time = day.map(Date.parse)
const end = fc.oneof({ weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, time)

const facts: fc.Arbitrary<Facts> = fc.record({
  agent: fc.constantFrom(...agents),
  visibility: fc.constantFrom('private', 'global', 'global', 'archived'),
  scope: orNull(word),
  project: fc.option(word, { freq: 2 }),
  session: fc.option(word),
  type: word,
  who: word,
  sourceType: word,
  tags: fc.constantFrom(null, ',one,', ',two,', ',one,two,', ',onetwo,'),
  pinned: fc.boolean(),
  deleted: fc.nat(4).map((chance) => chance === 0),
  traits: fc.integer({ min: 0, max: 31 }),
  words: fc.integer({ min: 0, max: 99 }),
  importance: fc.constantFrom(0, 0.5, 0.8, 1),
  createdAt: time,
  supersededAt: end,
  validity: fc.option(
    fc.array(fc.tuple(time, end), { minLength: 1, maxLength: 3 }).map(writeSpans),
  ),
  contentHash: word,
})

const readScope: fc.Arbitrary<ReadScope> = fc.record({
  agentId: fc.constantFrom(...agents, 'nobody'),
  policy: fc.constantFrom('isolated', 'shared', 'group'),
  groupAgents: fc.subarray(agents),
  project: orNull(word),
})

const filters = fc.record({
  scope: orNull(word),
  agentId: maybe(fc.constantFrom(...agents)),
  sessionId: maybe(word),
  type: maybe(word),
  who: maybe(word),
  sourceType: maybe(word),
  project: maybe(word),
  pinned: maybe(fc.boolean()),
  importanceMin: maybe(fc.constantFrom(0.5, 0.6)),
  tags: maybe(fc.array(fc.constantFrom('one', 'TWO', ''), { maxLength: 2 })),
  since: maybe(day),
  until: maybe(day),
})

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('append' as const), facts }) },
  fc.record({ does: fc.constant('write' as const), facts, slot: fc.nat(20) }),
  fc.record({ does: fc.constant('retire' as const), slot: fc.nat(20) }),
)

test('a mask lets through what a look at each memory does, after any changes', () => {
  const request = fc.record({
    readScope,
    filters,
    asOf: fc.option(day, { nil: undefined, freq: 2 }),
    exceptSourceType: maybe(word),
  })
  const requests = fc.array(request, { minLength: 1, maxLength: 20, size: 'max' })
  const all = fc.array(change, { maxLength: 60, size: 'max' })
  let [answered, asked] = [0, 0]
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
        expect([...masks.readOwn(mask, own)]).toEqual(
          may.map((may, slot) => Number(may && rows[slot]?.agent === 'ada')),
        )
        asked += 1
        if (may.includes(true)) answered += 1
      }
    }),
  )
  expect(answered).toBeGreaterThan(asked / 8)
})

test('a mask is whole after more changes than are known one by one', () => {
  const columns = createColumns()
  const masks = createMasks(columns)
  const [some] = fc.sample(facts, 1) as [Facts]
  const open = { ...some, agent: 'ada', visibility: 'global', scope: null, deleted: false }
  const row = { ...open, supersededAt: Number.POSITIVE_INFINITY }
  const scope: ReadScope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null }
  const request = { readScope: scope, filters: { scope: null } }
  for (let slot = 0; slot < 10; slot++) appendFacts(columns, row)
  masks.read(request)

  retire(columns, 3)
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
  if (one.does === 'retire') retire(columns, slot)
  else writeFacts(columns, slot, one.facts)
  rows[slot] = one.does === 'retire' ? undefined : one.facts
}

function mayAnswer(row: Facts, request: MaskRequest): boolean {
  const { readScope, filters, asOf, exceptSourceType } = request
  const { scope, tags = [], pinned, importanceMin = 0, since = '', until = '9' } = filters
  const { agentId = row.agent, sessionId = row.session } = filters
  const readable = mayRead(readScope, {
    agentId: row.agent,
    visibility: row.visibility as 'private',
    project: row.project,
  })
  const exact = (['type', 'who', 'sourceType', 'project'] as const).every(
    (field) => filters[field] === undefined || filters[field] === row[field],
  )
  const createdAt = new Date(row.createdAt).toISOString()
  const current = asOf
    ? createdAt <= asOf && row.supersededAt > Date.parse(asOf) && isValid(row, Date.parse(asOf))
    : row.supersededAt === Number.POSITIVE_INFINITY
  return (
    readable &&
    exact &&
    row.sourceType !== exceptSourceType &&
    row.agent === agentId &&
    row.session === sessionId &&
    current &&
    !row.deleted &&
    row.scope === scope &&
    (pinned === undefined || pinned === row.pinned) &&
    row.importance >= importanceMin &&
    createdAt >= since &&
    createdAt <= until &&
    tags.every((tag) => row.tags?.includes(`,${tag.toLowerCase()},`) === true)
  )
}

function isValid({ validity }: Facts, at: number): boolean {
  return validity === null || readSpans(validity).some(([from, until]) => from <= at && at < until)
}
