import { expect, test } from 'vitest'
import { toFixPath } from './fix-path.ts'

test.each([
  ['POST /api/repair/re-embed', '/ui/operations/repair'],
  ['POST /api/update/run', '/ui/operations/update'],
  ['POST /api/dream/trigger', '/ui/dreaming'],
  ['GET /api/knowledge/hygiene', '/ui/knowledge/hygiene'],
  ['GET /api/logs', '/ui/operations/logs'],
  ['GET /api/memories', '/ui/memories'],
  ['GET /api/tasks', '/ui/extensions'],
  ['GET /api/harnesses', '/'],
  ['POST /api/hooks/session-start', undefined],
  [null, undefined],
])('a finding with the route %s leads to %s', (route, path) => {
  expect(toFixPath(route)).toBe(path)
})
