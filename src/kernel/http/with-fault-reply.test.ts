import { expect, test } from 'vitest'
import { DatabaseError } from '../db/database-error.ts'
import { Refusal } from '../errors/refusal.ts'
import { createLog } from '../log/log.ts'
import { withFaultReply } from './replies.ts'

const replyTo = (error: Error) =>
  withFaultReply({ error: 'Hook execution failed' }, createLog('silent'), async () => {
    throw error
  })

test('a fault returns 500 with the body of the operation, without its own message', async () => {
  expect(await replyTo(new Error('inside'))).toMatchObject({
    status: 500,
    body: { error: 'Hook execution failed' },
  })
})

test('refusals and database refusals are rethrown', async () => {
  for (const refusal of [new Refusal('invalid', 'x', 'no'), new DatabaseError('no', 'SQLITE_FULL')])
    await expect(replyTo(refusal)).rejects.toBe(refusal)
})
