import { expect, test } from 'vitest'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { createGate, isPaused } from './gate.ts'

const paused = expect.objectContaining({ kind: 'unavailable', code: 'pipeline_paused' })

test('an open gate admits operations, and a closed one refuses them until it opens', async () => {
  const gate = createGate(manualClockHost())
  gate.enter('repair').leave()
  expect(await gate.close()).toEqual({
    activeAtStart: 0,
    aborted: 0,
    remaining: 0,
    timedOut: false,
  })

  expect(gate.isOpen()).toBe(false)
  expect(() => gate.enter('repair')).toThrow(paused)
  gate.open()
  expect(gate.isOpen()).toBe(true)
  expect(gate.enter('repair').signal.aborted).toBe(false)
})

test('closing aborts every entry and ends when all have left', async () => {
  const host = manualClockHost()
  const gate = createGate(host)
  const entries = ['memory_extraction', 'repair'].map((operation) => gate.enter(operation))
  const closing = gate.close()
  for (const { signal } of entries) expect(isPaused(signal.reason)).toBe(true)
  for (const { leave } of entries) leave()

  expect(await closing).toEqual({ activeAtStart: 2, aborted: 2, remaining: 0, timedOut: false })
  expect(host.sleeps()).toEqual([])
})

test('closing waits five seconds for an entry that ignores its signal', async () => {
  const host = manualClockHost()
  const gate = createGate(host)
  const [first, last] = [gate.enter('repair'), gate.enter('repair')]
  const closing = gate.close()
  first.leave()
  host.advance(5_000)

  expect(await closing).toEqual({ activeAtStart: 2, aborted: 2, remaining: 1, timedOut: true })
  last.leave()
  last.leave()
  expect(await gate.close()).toMatchObject({ activeAtStart: 0 })
})

test('an entry ends with the signal of its caller', () => {
  const caller = new AbortController()
  const { signal } = createGate(manualClockHost()).enter('repair', caller.signal)
  caller.abort(new Error('enough'))

  expect(signal.reason).toEqual(new Error('enough'))
  expect(isPaused(signal.reason)).toBe(false)
})

test('entries are limited to 1,000', () => {
  const gate = createGate(manualClockHost())
  const [first] = Array.from({ length: 1_000 }, () => gate.enter('repair'))

  expect(() => gate.enter('repair')).toThrow(expect.objectContaining({ code: 'queue_full' }))
  first?.leave()
  expect(() => gate.enter('repair')).not.toThrow()
})

test('listeners learn of each opening', async () => {
  const gate = createGate(manualClockHost())
  let openings = 0
  gate.onOpen(() => {
    openings += 1
  })
  await gate.close()
  gate.open()

  expect(openings).toBe(1)
})

test('lists the operations inside with their age, the oldest first', () => {
  const host = manualClockHost()
  const gate = createGate(host)
  gate.enter('repair')
  host.advance(1_000)
  gate.enter('memory_extraction').leave()
  gate.enter('session_synthesis')

  expect(gate.active()).toEqual([
    { operation: 'repair', ageMs: 1_000 },
    { operation: 'session_synthesis', ageMs: 0 },
  ])
})
