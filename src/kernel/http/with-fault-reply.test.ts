import { expect, test } from 'vitest'
import { DatabaseError } from '../db/database-error.ts'
import { Refusal } from '../errors/refusal.ts'
import { createLog } from '../log/log.ts'
import { withFaultReply } from './with-fault-reply.ts'

const body = { error: 'Hook execution failed' }
const failWith = (error: Error) =>
  withFaultReply(body, createLog('silent'), async () => {
    throw error
  })

test.each([new Error('inside'), new DatabaseError('inside', 'SQLITE_CORRUPT')])(
  'the reply to the fault %s holds the given body and no details',
  async (fault) => {
    expect(await failWith(fault)).toMatchObject({ status: 500, body })
  },
)

test.each([new Refusal('invalid', 'x', 'no'), new DatabaseError('no', 'SQLITE_FULL')])(
  'the refusal %s passes through',
  async (refusal) => {
    await expect(failWith(refusal)).rejects.toBe(refusal)
  },
)
