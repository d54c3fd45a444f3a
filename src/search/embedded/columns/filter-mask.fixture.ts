import fc from 'fast-check'
import { mayRead, type ReadScope } from '../../../kernel/auth/read-scope.ts'
import { type Facts, parseIntervals, serializeIntervals } from '../../feed.ts'
import type { MaskRequest } from './filter-mask.ts'

const agents = ['ada', 'bob', 'eve']
const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'].map(
  (day) => `${day}T00:00:00.000Z`,
)
/** Combining all filters at once would match nothing. */
const maybe = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 14, arbitrary: fc.constant(undefined) }, value)
const orNull = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, value)
const word = fc.constantFrom('one', 'two')
const day = fc.constantFrom(...days)
const time = day.map(Date.parse)
const end = fc.oneof({ weight: 6, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, time)

/** Memories and requests with few values, so that many requests match. */
export const facts: fc.Arbitrary<Facts> = fc.record({
  agent: fc.constantFrom(...agents),
  visibility: fc.constantFrom('private', 'global', 'global', 'global', 'archived'),
  scope: orNull(word),
  project: fc.option(word, { freq: 2 }),
  session: fc.option(word),
  type: word,
  who: word,
  sourceType: word,
  tags: fc.constantFrom(null, ',one,', ',two,', ',one,two,', ',onetwo,'),
  pinned: fc.boolean(),
  deleted: fc.nat(9).map((chance) => chance === 0),
  traits: fc.integer({ min: 0, max: 31 }),
  words: fc.integer({ min: 0, max: 99 }),
  importance: fc.constantFrom(0, 0.5, 0.8, 1),
  createdAt: time,
  supersededAt: end,
  validity: orNull(
    fc.array(fc.tuple(time, end), { minLength: 1, maxLength: 3 }).map(serializeIntervals),
  ),
  contentHash: word,
})

const readScope: fc.Arbitrary<ReadScope> = fc.record({
  agentId: fc.constantFrom(...agents, 'unknown'),
  policy: fc.constantFrom('isolated', 'shared', 'shared', 'group'),
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

export const request: fc.Arbitrary<MaskRequest> = fc.record({
  readScope,
  filters,
  asOf: fc.option(day, { freq: 2, nil: undefined }),
  exceptSourceType: maybe(word),
})

/** Whether a memory is live, readable, current and matches the filters. */
export function mayAnswer(row: Facts, request: MaskRequest): boolean {
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
  return (
    validity === null || parseIntervals(validity).some(([from, until]) => from <= at && at < until)
  )
}
