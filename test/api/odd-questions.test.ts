import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { callTool } from '../support/tools.ts'

const service = await startService({ config: { telemetry: { memorySearchQaEnabled: true } } })
afterAll(() => service.stop())

const id = String(
  (await service.ask('POST /api/memory/remember', { body: { content: 'tabs 今天 (weekly)' } }))
    .body['id'],
)

const syntax = ['a AND', '"x', 'NEAR(', '*', 'col:x', '(((((', '^', "'", '%', '_', '\\', 'x*" OR']
const values = fc.oneof(
  fc.constantFrom(
    ...syntax,
    'a\0b',
    '',
    ' ',
    '-1',
    '1e9',
    '0.5',
    'NaN',
    'null',
    '9'.repeat(400),
    id,
  ),
  fc.string({ unit: 'binary', maxLength: 60, size: 'max' }),
  fc.string({ unit: 'grapheme', maxLength: 60, size: 'max' }),
  fc.constant('long '.repeat(200)),
)
const names = [
  'q',
  'id',
  'k',
  'limit',
  'type',
  'tags',
  'who',
  'tzOffset',
  'since',
  'asOf',
  'explain',
  'within',
  'project',
  'session_key',
  'route',
  'offset',
  'depth',
]
const paths = [
  '/api/memory/search',
  '/memory/search',
  '/memory/similar',
  '/api/memories/most-used',
  '/api/memory/timeline',
  '/api/memory/review-queue',
  '/api/memories',
  '/api/embeddings',
  '/api/sessions/summaries',
  '/api/sessions/blackbox',
  '/api/telemetry/memory-search',
]

test('every read handles arbitrary input or reports what is invalid', async () => {
  const asks = fc.sample(
    fc.record({
      path: fc.constantFrom(...paths),
      query: fc.dictionary(fc.constantFrom(...names), values),
    }),
    { numRuns: 150, seed: 23 },
  )
  for (const { path, query } of asks) {
    const fields = Object.entries(query).map(([name, value]): [string, string] => [
      name,
      value.toWellFormed(),
    ])
    const { status } = await service.ask(`GET ${path}?${new URLSearchParams(fields)}`)

    expect([200, 400, 404], `${path} ${JSON.stringify(query)}`).toContain(status)
  }
})

// All scripts and lengths, and operators of text indexes.
const scripts = [
  '今天天气',
  'สวัสดี',
  'שלום',
  'مرحبا',
  'Привет',
  'Ünïcödé',
  '👩‍👩‍👧',
  '\u202etxet',
  '\ud800',
  'a\0b',
]
const letters = [...'今天ひらカナ한국สวัสดีລາວភាမြन्हतবাשלוםمرحباПриπωΩğßæ🙂 ', '. ']
const units = ['binary', 'grapheme', fc.constantFrom(...letters)] as const
const texts = (length: { readonly minLength: number; readonly maxLength: number }) =>
  fc.oneof(...units.map((unit) => fc.string({ unit, ...length, size: 'max' })))
const questions = fc.oneof(
  fc.constantFrom(...syntax, ...scripts, 'tabs', '1', '!?', '2026-02-30', 'x'.repeat(100_000)),
  fc
    .array(fc.constantFrom(...syntax, ...scripts, 'tabs'), { minLength: 2, maxLength: 9 })
    .map((parts) => parts.join(' ')),
  texts({ minLength: 1, maxLength: 200 }),
  texts({ minLength: 150, maxLength: 2000 }),
  texts({ minLength: 2000, maxLength: 20_000 }),
)
const odd = fc.oneof(questions, fc.jsonValue(), fc.constant(undefined))
const recalls = fc.record({
  query: fc.oneof({ weight: 9, arbitrary: questions }, fc.jsonValue()),
  keywordQuery: fc.option(questions, { nil: undefined }),
  more: fc.dictionary(
    fc.constantFrom(
      ...['limit', 'type', 'who', 'tags', 'pinned', 'importance_min', 'since', 'project', 'scope'],
      ...[
        'expand',
        'time',
        'aggregate',
        'aggregateBudget',
        'minScore',
        'asOf',
        'within',
        'explain',
      ],
    ),
    odd,
    { maxKeys: 4 },
  ),
})

test('recall handles arbitrary input or reports what is invalid', async () => {
  const asks = fc.sample(recalls, { numRuns: 150, seed: 31 })
  const lengths = asks.map(({ query }) => (typeof query === 'string' ? query.length : 0))
  const isAmong = (from: number, to: number) =>
    expect(lengths.filter((length) => from < length && length < to).length).toBeGreaterThan(5)
  isAmong(150, 2000)
  isAmong(2000, 20_000)
  for (const { more, ...request } of asks) {
    const body = { ...request, ...more }
    const { status } = await service.ask('POST /api/memory/recall', { body })

    expect([200, 400, 429], JSON.stringify(body).slice(0, 500)).toContain(status)
  }
})

test('tools and hooks handle arbitrary input', async () => {
  for (const { query, keywordQuery } of fc.sample(recalls, { numRuns: 60, seed: 37 })) {
    const body = { query, limit: 3 }
    const { status } = await service.ask('POST /api/sessions/search', { body })
    expect([200, 400], JSON.stringify(body).slice(0, 500)).toContain(status)

    const input = { query: String(query), keyword_query: keywordQuery }
    const reply = await callTool(service, { name: 'memory_search', arguments: input })
    expect(reply, JSON.stringify(input).slice(0, 500)).not.toContain('Internal error')
  }
})

test('feedback accepts or refuses arbitrary input', async () => {
  const bodies = fc.sample(
    fc.record({
      sessionKey: fc.oneof(fc.constant('s'), fc.jsonValue()),
      feedback: fc.oneof(
        fc.dictionary(fc.constantFrom(id, 'missing', '', '__proto__'), fc.jsonValue()),
        fc.jsonValue(),
      ),
    }),
    { numRuns: 60, seed: 29 },
  )
  // Refusals do not count against a limit; feedback does.
  for (const body of bodies) {
    const { status } = await service.ask('POST /api/memory/feedback', { body })

    expect([200, 400, 429], JSON.stringify(body)).toContain(status)
  }
})

test('all of these queries are recorded', async () => {
  await service.ask('GET /api/telemetry/memory-search')

  expect(service.output()).not.toContain('search log write failed')
})
