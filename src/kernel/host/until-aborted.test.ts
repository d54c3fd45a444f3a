import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { untilAborted } from './until-aborted.ts'

const endless = new Promise<string>(() => {})

test('gives what the work gives, and fails as it fails', async () => {
  const { signal } = new AbortController()

  expect(await untilAborted(signal, Promise.resolve('done'))).toBe('done')
  await expect(untilAborted(signal, Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('waits no longer once the signal is aborted, be it before or meanwhile', async () => {
  const control = new AbortController()
  const waiting = untilAborted(control.signal, endless)
  control.abort()

  expect(await waiting).toBeUndefined()
  expect(await untilAborted(control.signal, endless)).toBeUndefined()
})

test('leaves nothing on the signal', async () => {
  const { signal } = new AbortController()
  await untilAborted(signal, Promise.resolve('done'))

  expect(getEventListeners(signal, 'abort')).toEqual([])
})
