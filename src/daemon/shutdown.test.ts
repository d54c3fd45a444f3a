import { expect, test } from 'vitest'
import { createLog } from '../kernel/log/log.ts'
import { createShutdown } from './shutdown.ts'

test('closes in reverse order, once, despite failures', async () => {
  const lines: string[] = []
  const log = createLog('error', { write: (line) => lines.push(line) })
  const closed: string[] = []
  const closing = createShutdown(log)
  closing.add('database', async () => closed.push('database'))
  closing.add('timers', () => {
    throw new Error('stuck')
  })
  closing.add('server', async () => closed.push('server'))

  await Promise.all([closing.close(), closing.close()])

  expect(closed).toEqual(['server', 'database'])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ part: 'timers' }])
})

test('closes parts that open during shutdown, and opens nothing afterwards', async () => {
  const closed: string[] = []
  const closing = createShutdown(createLog('silent'))
  const slow = Promise.withResolvers<void>()
  closing.add('database', () => slow.promise.then(() => closed.push('database')))

  const closes = closing.close()
  expect(() => closing.add('server', () => closed.push('server'))).toThrow('stopping')
  slow.resolve()
  await closes

  expect(closed).toEqual(['database', 'server'])
})
