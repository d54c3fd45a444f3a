import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const id = String(
  (await service.ask('POST /api/memory/remember', { body: { content: 'tabs 今天 (weekly)' } }))
    .body['id'],
)

const syntax = ['a AND', '"x', 'NEAR(', '*', 'col:x', '(((((', '^', "'", '%', '_', '\\', 'x*" OR']
const values = fc.oneof(
  fc.constantFrom(...syntax, '', ' ', '-1', '1e9', '0.5', 'NaN', 'null', '9'.repeat(400), id),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
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
]
const paths = [
  ...['/api/memory/search', '/memory/search', '/memory/similar', '/api/memories/most-used'],
  ...['/api/memory/timeline', '/api/memory/review-queue'],
]

test('whatever is asked, every read answers or says what is wrong with it', async () => {
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

test('whatever is sent as an opinion, it is taken or refused', async () => {
  const bodies = fc.sample(
    fc.record({
      sessionKey: fc.oneof(fc.constant('s'), fc.jsonValue()),
      feedback: fc.oneof(
        fc.dictionary(fc.constantFrom(id, 'nobody', '', '__proto__'), fc.jsonValue()),
        fc.jsonValue(),
      ),
    }),
    { numRuns: 60, seed: 29 },
  )
  // Every refusal counts against no bucket, every opinion does.
  for (const body of bodies) {
    const { status } = await service.ask('POST /api/memory/feedback', { body })

    expect([200, 400, 429], JSON.stringify(body)).toContain(status)
  }
})
