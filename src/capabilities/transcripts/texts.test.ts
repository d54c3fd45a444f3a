import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { createTexts } from './texts.ts'
import * as here from './threads/text-worker.ts'

function makeTexts() {
  const texts = createTexts(realHost)
  onTestFinished(() => texts.close())
  return texts
}

const readTask = (turns: number) => ({
  harness: 'claude-code',
  truncated: false,
  text: Array.from({ length: turns }, (_, index) =>
    JSON.stringify({ message: { role: 'user', content: `${index} AKIA${'A'.repeat(16)}` } }),
  ).join('\n'),
})

test('reads a long text like a short one without blocking the event loop', async () => {
  const texts = makeTexts()
  const task = readTask(20_000)
  const ended: string[] = []

  const reading = texts.read(task)
  void reading.then(() => ended.push('long'))
  await texts.read(readTask(1))
  await setImmediate()

  expect(ended).toEqual([])
  expect(await reading).toEqual(await here.read(task))
})

test('redacts credentials in a long text', async () => {
  const text = `AKIA${'A'.repeat(16)} ${'word '.repeat(10_000)}`

  expect(await makeTexts().redact(text)).toBe(await here.redact(text))
  expect(await here.redact(text)).toMatch(/^\[REDACTED\] word/)
})

test('rejects tasks beyond the queue limit and completes the others', async () => {
  const texts = makeTexts()
  const task = readTask(1_000)

  const read = await Promise.allSettled(Array.from({ length: 40 }, () => texts.read(task)))

  const refused = read.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]).toMatchObject({ reason: { code: 'queue_full' } })
  expect(read.at(0)).toMatchObject({ status: 'fulfilled' })
})
