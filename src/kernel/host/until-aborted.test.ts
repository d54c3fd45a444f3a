import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { untilAborted } from './with-timeout.ts'

const endless = new Promise<string>(() => {})

test('resolves and rejects as the work does', async () => {
  const { signal } = new AbortController()

  expect(await untilAborted(signal, Promise.resolve('done'))).toBe('done')
  await expect(untilAborted(signal, Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('resolves when the signal aborts, before or during the work', async () => {
  const control = new AbortController()
  const waiting = untilAborted(control.signal, endless)
  control.abort()

  expect(await waiting).toBeUndefined()
  expect(await untilAborted(control.signal, endless)).toBeUndefined()
})

test('removes its listener from the signal', async () => {
  const { signal } = new AbortController()
  await untilAborted(signal, Promise.resolve('done'))

  expect(getEventListeners(signal, 'abort')).toEqual([])
})
