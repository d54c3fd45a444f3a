import { describe, expect, test } from 'vitest'
import { realHost } from '../../../kernel/host/host.ts'
import {
  type Behaviours,
  failWith,
  hanging,
  openInference,
  requestFor,
  streaming,
  usage,
} from '../inference.fixture.ts'
import { type TargetError, TargetError as TypedError } from '../targets/target.ts'
import { type ModelStream, type ModelStreamEvent, openStream } from './stream.ts'

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('no error'),
    (error) => error,
  )

async function collect({ events }: ModelStream): Promise<ModelStreamEvent[]> {
  const collected: ModelStreamEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}

/** Sends a text, then fails. */
function cutAfter(text: string, error: TargetError): Behaviours[string] {
  return {
    stream: async function* () {
      yield { type: 'text-delta', text } as const
      throw error
    },
  }
}

test('a stream has its deltas and one terminal event with the usage', async () => {
  const { router, records } = await openInference({ behaviours: { a: streaming('Hel', 'lo') } })
  const stream = await openStream(router, requestFor())
  const events = await collect(stream)

  expect(stream).toMatchObject({ requestId: 'request-1', targetRef: 'a/m' })
  expect(events).toMatchObject([
    { type: 'delta', text: 'Hel' },
    { type: 'delta', text: 'lo' },
    {
      type: 'done',
      text: 'Hello',
      finishReason: 'stop',
      usage: { inputTokens: 7 },
      attempts: [{ targetRef: 'a/m', ok: true }],
    },
  ])
  expect(router.concurrency.active().total).toBe(0)
  expect(router.active.size()).toBe(0)
  await expect.poll(() => records).toMatchObject([{ event: 'inference.stream', success: true }])
})

test('parts of tool calls are passed on, and reasoning is not', async () => {
  const part = { type: 'tool-call-delta', index: 0, toolCallId: 'c1', argumentsDelta: '{' } as const
  const { router } = await openInference({
    behaviours: {
      a: {
        stream: async function* () {
          yield { type: 'reasoning-delta', text: 'hm' } as const
          yield part
          yield { type: 'finish', finishReason: 'tool_calls', usage } as const
        },
      },
    },
  })

  await expect(openStream(router, requestFor()).then(collect)).resolves.toMatchObject([
    part,
    { type: 'done', text: '', finishReason: 'tool_calls' },
  ])
})

test('a target without streaming answers in one delta', async () => {
  const { router } = await openInference()

  await expect(openStream(router, requestFor()).then(collect)).resolves.toMatchObject([
    { type: 'delta', text: 'a' },
    { type: 'done', text: 'a' },
  ])
})

test('before the first part the next target is tried', async () => {
  const error = new TypedError('x', { kind: 'http', status: 503 })
  const { router } = await openInference({
    behaviours: {
      a: {
        stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }),
      },
      b: streaming('two'),
    },
  })

  const stream = await openStream(router, requestFor())
  expect(stream.targetRef).toBe('b/m')
  expect((await collect(stream)).at(-1)).toMatchObject({
    type: 'done',
    attempts: [
      { targetRef: 'a/m', ok: false },
      { targetRef: 'b/m', ok: true },
    ],
  })
})

describe('a stream that is cut', () => {
  test('ends with an error and what was received, and tries no other target', async () => {
    const error = new TypedError('x', { kind: 'network' })
    const { router, calls } = await openInference({
      behaviours: { a: cutAfter('half', error), b: streaming('two') },
    })
    const events = await openStream(router, requestFor()).then(collect)

    expect(events).toMatchObject([
      { type: 'delta', text: 'half' },
      {
        type: 'error',
        error: 'The connection to the provider failed',
        partialText: 'half',
        attempts: [{ targetRef: 'a/m', ok: false }],
      },
    ])
    expect(calls).toHaveLength(1)
    expect(router.concurrency.active().total).toBe(0)
  })

  test('without an end is an error too', async () => {
    const { router } = await openInference({
      behaviours: {
        a: {
          stream: async function* () {
            yield { type: 'text-delta', text: 'half' } as const
          },
        },
      },
    })

    const events = await openStream(router, requestFor()).then(collect)
    expect(events.at(-1)).toMatchObject({ type: 'error', partialText: 'half' })
  })
})

test('earlier failures reject and leave nothing behind', async () => {
  const failure = failWith({ kind: 'http', status: 500 })
  const { router, records } = await openInference({ behaviours: { a: failure, b: failure } })

  await expect(errorOf(openStream(router, requestFor()))).resolves.toMatchObject({
    code: 'execution-failed',
  })
  expect(router.concurrency.active().total).toBe(0)
  expect(router.active.size()).toBe(0)
  await expect
    .poll(() => records)
    .toMatchObject([{ event: 'inference.stream', success: false }, { event: 'inference.fallback' }])
})

describe('a running stream', () => {
  const open = async (signal?: AbortSignal) => {
    const aborted: string[] = []
    const inference = await openInference({ host: realHost, behaviours: { a: hanging(aborted) } })
    const stream = await openStream(inference.router, requestFor(signal ? { signal } : {}))
    const iterator = stream.events[Symbol.asyncIterator]()
    return { ...inference, aborted, iterator }
  }

  test('is cancelled by its id, for its sender or an administrator only', async () => {
    const { router, iterator, aborted } = await open()
    await iterator.next()
    const ended = iterator.next()
    const other = { subject: 'other', isAdmin: false }
    expect(() => router.active.cancel('request-1', other)).toThrow('No such request')
    expect(() => router.active.cancel('request-2', { ...other, isAdmin: true })).toThrow()
    router.active.cancel('request-1', { ...other, subject: 'me' })

    await expect(ended).resolves.toMatchObject({
      value: { type: 'cancelled', partialText: 'half' },
    })
    await expect(iterator.next()).resolves.toMatchObject({ done: true })
    expect(aborted).toEqual(['aborted'])
    expect(router.active.size()).toBe(0)
  })

  test('ends with its client, although no reader takes its parts', async () => {
    const client = new AbortController()
    const { router, aborted, records } = await open(client.signal)
    client.abort()

    await expect.poll(() => router.concurrency.active().total).toBe(0)
    expect(aborted).toEqual([])
    await expect.poll(() => records).toMatchObject([{ errorCode: 'CANCELLED' }, {}])
  })

  test('ends when its reader closes it', async () => {
    const { router, iterator, aborted } = await open()
    await iterator.next()
    const pending = iterator.next()
    await iterator.return?.()
    await pending

    await expect.poll(() => router.concurrency.active().total).toBe(0)
    expect(aborted).toEqual(['aborted'])
  })

  test('ends with an error at its deadline', async () => {
    const { router } = await openInference({ host: realHost, behaviours: { a: hanging() } })
    const stream = await openStream(router, requestFor({ timeoutMs: 100 }))

    expect((await collect(stream)).at(-1)).toMatchObject({
      type: 'error',
      error: 'The call exceeded its timeout.',
      partialText: 'half',
    })
  })

  test('ends when the daemon stops', async () => {
    const { router, iterator } = await open()
    await iterator.next()
    const ended = iterator.next()
    await router.stop()

    await expect(ended).resolves.toMatchObject({ value: { type: 'cancelled' } })
    expect(router.concurrency.active().total).toBe(0)
  })
})
