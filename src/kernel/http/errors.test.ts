import { expect, test } from 'vitest'
import { toDatabaseError } from '../db/database-error.ts'
import { serve } from '../testing/serve.ts'
import { route } from './route.ts'

test.each([
  ['SQLITE_BUSY', 503, 'database_busy'],
  ['40001', 503, 'database_busy'],
  ['22021', 400, 'invalid_request'],
  ['SQLITE_FULL', 503, 'storage_full'],
  ['SQLITE_CORRUPT', 500, 'internal'],
  ['ECONNRESET', 500, 'internal'],
])('what a database says with %s is answered %d', async (code, status, answered) => {
  const url = await serve([
    route({
      name: 'test.break',
      method: 'GET',
      path: '/break',
      permission: 'recall',
      handle: () => Promise.reject(toDatabaseError('the words inside', code)),
    }),
  ])

  const reply = await fetch(`${url}/break`)
  const body = await reply.text()

  expect([reply.status, JSON.parse(body).code]).toEqual([status, answered])
  expect(body).not.toContain('the words inside')
})
