import { expect, test } from 'vitest'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { createLog } from '../../../kernel/log/log.ts'
import { noChildLedger } from '../../../kernel/testing/no-child-ledger.ts'
import type { ExecNeeds } from './exec-job.ts'
import { createExecQueue } from './exec-queue.ts'

const value = ['synthetic', 'larch', '9917'].join('-')
const caller = { name: 'ada', agentId: 'ada', role: 'admin' } as Caller
const request = { command: 'true', secrets: { LARCH: 'LARCH_TOKEN' }, timeoutMs: 1_000 }

function createQueue(more: Partial<Pick<ExecNeeds, 'resolve' | 'store'>>) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const queue = createExecQueue({
    host: realHost,
    children: noChildLedger,
    log,
    audit: () => {},
    store: { assertUnlocked: async () => {} },
    resolve: async () => value,
    folder: '.',
    variables: () => ({}),
    pass: () => [],
    ...more,
  })
  return { queue, lines }
}

test('an unexpected error is logged as a fault without the text of its message', async () => {
  const { queue, lines } = createQueue({
    resolve: () => Promise.reject(Object.assign(new TypeError(`bad ${value}`), { code: 'E2BIG' })),
  })
  const { id } = await queue.start(caller, request)
  await expect.poll(() => queue.read(caller, id).status).toBe('failed')
  const faults = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)

  expect(faults).toMatchObject([
    {
      msg: 'secret exec failed by an unexpected error',
      jobId: id,
      err: { type: 'TypeError', code: 'E2BIG', stack: expect.stringContaining('exec-queue.test') },
    },
  ])
  expect(lines.join('')).not.toContain(value)
})

test('a refused job is no fault', async () => {
  const { queue, lines } = createQueue({ resolve: async () => undefined })
  const { id } = await queue.start(caller, request)
  await expect.poll(() => queue.read(caller, id).status).toBe('failed')

  expect(lines.map((line) => JSON.parse(line).level)).toEqual([30, 30])
})

test('a locked store refuses before a job is made', async () => {
  const locked = new Refusal('unavailable', 'secrets_locked', 'locked')
  const { queue, lines } = createQueue({
    store: { assertUnlocked: () => Promise.reject(locked) },
  })

  await expect(queue.start(caller, request)).rejects.toBe(locked)
  expect(lines).toEqual([])
})
