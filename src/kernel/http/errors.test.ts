import { expect, test } from 'vitest'
import { toDatabaseError } from '../db/database-error.ts'
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
  const { body, ...reply } = await answerTo(toDatabaseError('the words inside', code))

  expect(reply).toEqual({ status, code: answered })
  expect(body).not.toContain('the words inside')
})

test.each([
  ['ENOSPC', 503, 'storage_full'],
  ['EDQUOT', 503, 'storage_full'],
  ['EACCES', 500, 'internal'],
])('the file system error %s returns %d', async (code, status, answered) => {
  const { body, ...reply } = await answerTo(Object.assign(new Error('/a/path'), { code }))

  expect(reply).toEqual({ status, code: answered })
  expect(body).not.toContain('/a/path')
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
  return { status: reply.status, code: JSON.parse(body).code, body }
}
