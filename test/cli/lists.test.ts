import { afterAll, expect, test } from 'vitest'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const { run, json } = reverieOf(service)

const dayMs = 86_400_000
const now = Date.now()
/** Noon of the local day, so that no time zone moves it to another. */
const daysAgo = (days: number) => new Date(new Date(now - days * dayMs).setHours(12)).toISOString()
const rows = [
  { content: 'heron of today', project: 'pond', tags: 'bird', type: 'fact' },
  { content: 'heron of yesterday', tags: 'bird,tall', type: 'fact', createdAt: daysAgo(1) },
  { content: 'heron of last week', type: 'rule', createdAt: daysAgo(8) },
  { content: 'heron of last year', project: 'pond', createdAt: daysAgo(400), type: 'rule' },
]
for (const body of rows) await service.ask('POST /api/memory/remember', { body })

const names = (found: Record<string, unknown>, field: string) =>
  (found[field] as { content: string }[]).map(({ content }) => content.slice('heron of '.length))

test.each([
  [
    ['--project', 'pond'],
    ['today', 'last year'],
  ],
  [
    ['--tags', 'bird'],
    ['today', 'yesterday'],
  ],
  [['--tags', 'tall,bird'], ['yesterday']],
  [
    ['--type', 'rule'],
    ['last week', 'last year'],
  ],
  [
    ['--since', 'yesterday'],
    ['today', 'yesterday'],
  ],
  [
    ['--since', '2 weeks ago'],
    ['today', 'yesterday', 'last week'],
  ],
  [
    ['--since', '14d', '--until', 'yesterday'],
    ['yesterday', 'last week'],
  ],
  [['--until', '1 year ago', '--project', 'pond'], ['last year']],
  [['--since', daysAgo(8), '--until', daysAgo(8)], ['last week']],
])('list and export are narrowed by %j', async (options, expected) => {
  expect(names(await json(['list', ...options]), 'memories')).toEqual(expected)
  const { stdout } = await run(['export', '-', ...options])
  const lines = stdout.split('\n').filter((line) => line !== '')
  expect(names({ lines: lines.map((line) => JSON.parse(line)) }, 'lines')).toEqual(expected)
})

test('a list prints its number of rows to people, and the total of an unfiltered list', async () => {
  expect((await run(['list', '--limit', '1'])).stdout).toContain('1 of 4 memories')
  expect((await run(['list', '--project', 'pond'])).stdout).toMatch(/\n2 memories\n$/)
  expect((await run(['list', '--project', 'none'])).stdout).toContain(
    'No memory of 4 matches these filters.',
  )
  expect((await run(['list', '--project', 'none', '--offset', '9'])).stdout).toContain(
    'at offset 9',
  )
  expect((await run(['list', '--offset', '9'])).stdout).toContain('beyond the last of 4 memories')
})

test('recall takes the same times', async () => {
  const recall = (...options: string[]) => json(['recall', 'heron', '--limit', '10', ...options])

  expect(names(await recall('--since', 'yesterday'), 'results').toSorted()).toEqual([
    'today',
    'yesterday',
  ])
  expect(names(await recall('--until', '1 year ago'), 'results')).toEqual(['last year'])
  expect(names(await recall('--as-of', '1y'), 'results')).toEqual(['last year'])
})

test.each(['list', 'export -', 'recall x'])('%s refuses an invalid time', async (command) => {
  const { code, stderr } = await run([...command.split(' '), '--since', 'soon', '--json'])

  expect(code).toBe(2)
  expect(JSON.parse(stderr)).toMatchObject({ error: expect.stringContaining('"2 weeks ago"') })
})
