import { expect, test } from 'vitest'
import { toDatabaseError } from '../db/database-error.ts'
import { Refusal } from '../errors/refusal.ts'
import { serve } from '../testing/serve.ts'
import { route } from './route.ts'

test.each([
  ['SQLITE_BUSY', 503, 'database_busy'],
  ['40001', 503, 'database_busy'],
  ['22021', 400, 'invalid_request'],
  ['54000', 400, 'invalid_request'],
  ['SQLITE_FULL', 503, 'storage_full'],
  ['NO_SPACE', 503, 'storage_full'],
  ['SQLITE_CORRUPT', 500, 'internal'],
  ['ECONNRESET', 503, 'database_lost'],
])('the database error %s returns %d', async (code, status, answered) => {
  const {
    body,
    retryAfter: _,
    ...reply
  } = await answerTo(toDatabaseError('the words inside', code))

  expect(reply).toEqual({ status, code: answered })
  expect(body).not.toContain('the words inside')
})

test.each([
  ['ENOSPC', 503, 'storage_full'],
  ['EDQUOT', 503, 'storage_full'],
  ['EACCES', 500, 'internal'],
])('the file system error %s returns %d', async (code, status, answered) => {
  const {
    body,
    retryAfter: _,
    ...reply
  } = await answerTo(Object.assign(new Error('/a/path'), { code }))

  expect(reply).toEqual({ status, code: answered })
  expect(body).not.toContain('/a/path')
})

test('a full queue returns 429 with a retry time', async () => {
  const { status, code, retryAfter } = await answerTo(new Refusal('too_many', 'queue_full', 'full'))

  expect({ status, code, retryAfter }).toEqual({ status: 429, code: 'queue_full', retryAfter: '1' })
})

async function answerTo(thrown: Error) {
  const url = await serve([
    route({
      name: 'test.break',
      method: 'GET',
      path: '/break',
      permission: 'recall',
      handle: () => Promise.reject(thrown),
    }),
  ])
  const reply = await fetch(`${url}/break`)
  const body = await reply.text()
  const retryAfter = reply.headers.get('retry-after')
  return { status: reply.status, code: JSON.parse(body).code, body, retryAfter }
}
