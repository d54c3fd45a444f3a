import { expect, test } from 'vitest'
import { DatabaseError } from '../../kernel/db/database-error.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { createLog } from '../../kernel/log/log.ts'
import { answerOr } from './answer-or.ts'

const answer = (error: Error) =>
  answerOr('Hook execution failed', createLog('silent'), async () => {
    throw error
  })

test('a fault is answered in the words of the hook, without its own', async () => {
  expect(await answer(new Error('inside'))).toMatchObject({
    ...{ status: 500, body: { error: 'Hook execution failed' } },
  })
})

test('what is refused is refused in its own words', async () => {
  for (const refused of [new Refusal('invalid', 'x', 'no'), new DatabaseError('no', 'SQLITE_FULL')])
    await expect(answer(refused)).rejects.toBe(refused)
})
