import { expect, onTestFinished, test, vi } from 'vitest'
import type { Host } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { queryFor } from '../contract/harness.fixture.ts'
import { EngineBusy, EngineUnavailable } from '../engine.ts'
import { createThreadedEngine } from './threaded-engine.ts'

/** Reports ready and answers all queries except `silence` and `end`. */
const program = `
import { parentPort } from 'node:worker_threads'
const tell = (message) => parentPort.postMessage(message)
parentPort.on('message', ({ kind, id, query }) => {
  if (kind === 'close') parentPort.close()
  else if (query?.text === 'silence') while (true);
  else if (query?.text === 'end') process.exit();
  else if (id) tell({ kind: 'answer', id, answer: { candidates: [], timings: [] } })
})
tell({ kind: 'health', health: { state: 'ready', rows: 1, vectors: 0, revision: 1 } })
`

const start = (host: Host, text = program) => {
  const file = new URL(`data:text/javascript,${encodeURIComponent(text)}`)
  const running = async () => ({ file, options: {} })
  return createThreadedEngine({ host, log: createLog('silent'), program: running })
}
const late = { candidates: [], degraded: 'index_late' }

test('a hanging thread delays neither searches nor closing', async () => {
  const host = manualClockHost()
  const engine = start(host)
  const isReady = () => vi.waitFor(() => expect(engine.health().state).toBe('ready'))
  await isReady()
  expect(await engine.search(queryFor('anything'))).not.toHaveProperty('degraded')

  const requests = [
    engine.search(queryFor('silence')),
    engine.similar({ ...queryFor(''), id: 'one', identity: 'tiny' }),
  ]
  const many = Array.from({ length: 998 }, () => engine.search(queryFor('anything')))
  await expect(engine.search(queryFor('anything'))).rejects.toBeInstanceOf(EngineBusy)
  host.advance(5000)
  for (const answer of [...requests, ...many]) expect(await answer).toMatchObject(late)

  host.advance(55_000)
  await vi.waitFor(() => expect(engine.health().state).toBe('building'))
  host.advance(1000)
  await isReady()
  expect(await engine.search(queryFor('anything'))).not.toHaveProperty('degraded')

  const last = engine.search(queryFor('silence'))
  const closing = engine.close()
  host.advance(10_000)
  await closing
  expect(await last).toMatchObject(late)
})

test('requests of a dead thread fail and its successor answers', async () => {
  const host = manualClockHost()
  const engine = start(host)
  onTestFinished(() => engine.close())
  const isReady = () => vi.waitFor(() => expect(engine.health().state).toBe('ready'))
  await isReady()

  const requests = ['end', 'anything'].map((text) => engine.search(queryFor(text)))

  for (const answer of requests) await expect(answer).rejects.toBeInstanceOf(EngineUnavailable)
  expect((await engine.search(queryFor('anything'))).degraded).toBe('index_building')
  host.advance(1000)
  await isReady()
  expect(await engine.search(queryFor('anything'))).not.toHaveProperty('degraded')
})

test('a thread that cannot start is retried with exponential backoff', async () => {
  const host = manualClockHost()
  const engine = start(host, 'throw new Error("not today")')
  onTestFinished(() => engine.close())

  await vi.waitFor(() => expect(engine.health().state).toBe('failed'))

  expect(await engine.search(queryFor('anything'))).toMatchObject({ degraded: 'index_failed' })
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    await vi.waitFor(() => expect(host.sleeps()).toEqual([1000 * seconds]))
    host.advance(1000 * seconds)
  }
})
