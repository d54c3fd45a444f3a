import { expect, test } from 'vitest'
import { readLogs } from './logs.ts'

const entry = (level: string, second: number, category = 'daemon') => ({
  level,
  category,
  message: `${level} ${second}`,
  at: `2026-01-02T03:04:0${second}.000Z`,
})
const entries = [entry('debug', 1), entry('info', 2), entry('error', 3, 'jobs'), entry('fatal', 4)]
const all = { limit: 100, level: undefined, category: undefined, since: undefined }

test.each([
  [{}, ['debug 1', 'info 2', 'error 3', 'fatal 4']],
  [{ limit: 2 }, ['error 3', 'fatal 4']],
  [{ level: 'info' as const }, ['info 2', 'error 3', 'fatal 4']],
  [{ level: 'error' as const }, ['error 3', 'fatal 4']],
  [{ category: 'jobs' }, ['error 3']],
  [{ since: '2026-01-02T03:04:03.000Z' }, ['error 3', 'fatal 4']],
])('%j leaves %j', (narrowed, messages) => {
  const read = readLogs(entries, { ...all, ...narrowed })

  expect(read.logs.map(({ message }) => message)).toEqual(messages)
})
