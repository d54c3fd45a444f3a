import { afterEach, expect, test, vi } from 'vitest'
import type { Fault } from '../../../../test/support/model-upstream.ts'
import { TargetError, type TargetErrorKind } from './target.ts'
import {
  callOf,
  credential,
  libraryExecutors,
  prompt,
  startUpstream,
  targetAt,
  textOfParts,
  ways,
} from './targets.fixture.ts'

interface FaultCase {
  readonly fault: Fault
  readonly kind: TargetErrorKind
  readonly status?: number
}

const limits = { firstByteMs: 10_000, idleMs: 10_000, maxReplyBytes: 200_000, maxTextChars: 5_000 }
const shortLimits = { ...limits, firstByteMs: 200, idleMs: 200 }

const cases: readonly FaultCase[] = [
  { fault: { status: 429, retryAfter: 7 }, kind: 'http', status: 429 },
  { fault: { status: 500 }, kind: 'http', status: 500 },
  { fault: { status: 401 }, kind: 'http', status: 401 },
  { fault: 'repeated key', kind: 'http', status: 400 },
  { fault: 'silence', kind: 'timeout' },
  { fault: 'silent body', kind: 'timeout' },
  { fault: 'cut', kind: 'network' },
  { fault: 'early end', kind: 'invalid_reply' },
  { fault: 'invalid json', kind: 'invalid_reply' },
  { fault: 'bad chunk', kind: 'invalid_reply' },
  { fault: 'html', kind: 'invalid_reply' },
  { fault: 'endless', kind: 'invalid_reply' },
  { fault: 'redirect', kind: 'network' },
]

const table = cases.flatMap((one) =>
  libraryExecutors.flatMap((executor) =>
    (['complete', 'stream'] as const).map((way) => ({
      ...one,
      executor,
      way,
      name: typeof one.fault === 'string' ? one.fault : `status ${one.fault.status}`,
    })),
  ),
)

const limitsOf = ({ kind }: FaultCase) => (kind === 'timeout' ? shortLimits : limits)

/** Libraries may print nothing: their texts contain replies. */
function watchConsole() {
  const methods = ['log', 'warn', 'error', 'info', 'debug'] as const
  return methods.map((method) => vi.spyOn(console, method).mockImplementation(() => {}))
}

afterEach(() => {
  vi.restoreAllMocks()
})

test.each(table)('$executor, $way: $name is one typed error', async (one) => {
  const printed = watchConsole()
  const upstream = await startUpstream()
  upstream.fail(one.fault)
  const target = await targetAt(upstream, one.executor)
  const error = await ways[one.way](target, callOf({ limits: limitsOf(one) })).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )

  expect(error).toBeInstanceOf(TargetError)
  expect(error).toMatchObject({ kind: one.kind, ...(one.status && { status: one.status }) })
  const text = JSON.stringify([String(error), Object.entries(error ?? {})])
  expect(text).not.toContain(credential)
  expect(text).not.toContain(prompt.slice(0, 24))
  // No library tries again by itself.
  expect(upstream.requests).toHaveLength(1)
  for (const method of printed) expect(method).not.toHaveBeenCalled()
  await expect.poll(() => upstream.active(), { timeout: 1_000 }).toBe(0)
})

test.each(libraryExecutors)('%s reports when to try again, and the message', async (executor) => {
  const upstream = await startUpstream()
  upstream.fail({ status: 429, retryAfter: 7, message: 'Slow down.' })
  const target = await targetAt(upstream, executor)

  await expect(target.complete(callOf())).rejects.toMatchObject({
    status: 429,
    retryAfterMs: 7_000,
    providerMessage: 'Slow down.',
  })
})

test.each(libraryExecutors)('%s, stream: an error event ends the reply', async (executor) => {
  const upstream = await startUpstream()
  upstream.fail('error event')
  const target = await targetAt(upstream, executor)

  await expect(ways.stream(target, callOf())).rejects.toBeInstanceOf(TargetError)
})

test.each(libraryExecutors)(
  '%s: a slow reply that never pauses is read to its end',
  async (executor) => {
    const upstream = await startUpstream()
    upstream.reply({ text: 'Hi.' })
    upstream.fail('drip')
    const target = await targetAt(upstream, executor)
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 500)

    await expect(
      ways.stream(target, callOf({ limits, signal: controller.signal })),
    ).rejects.toMatchObject({ kind: 'aborted' })
    await expect.poll(() => upstream.active(), { timeout: 1_000 }).toBe(0)
  },
)

test.each(libraryExecutors)('%s: an abort closes the connection', async (executor) => {
  const upstream = await startUpstream()
  upstream.fail('silence')
  const target = await targetAt(upstream, executor)
  for (const way of ['complete', 'stream'] as const) {
    const controller = new AbortController()
    const call = ways[way](target, callOf({ signal: controller.signal }))
    const outcome = expect(call).rejects.toMatchObject({ kind: 'aborted' })
    await expect.poll(() => upstream.active()).toBe(1)
    controller.abort()

    await outcome
    await expect.poll(() => upstream.active(), { timeout: 1_000 }).toBe(0)
  }
})

test.each(libraryExecutors)('%s: a reader that stops closes the connection', async (executor) => {
  const upstream = await startUpstream()
  upstream.fail('endless')
  const target = await targetAt(upstream, executor)
  for await (const part of target.stream?.(callOf()) ?? []) {
    expect(textOfParts([part])).toEqual(expect.any(String))
    break
  }

  await expect.poll(() => upstream.active(), { timeout: 1_000 }).toBe(0)
})

test('a text over the maximum length ends the call', async () => {
  const upstream = await startUpstream()
  upstream.reply({ text: 'word '.repeat(2_000) })
  const target = await targetAt(upstream, 'openai-compatible')
  for (const way of ['complete', 'stream'] as const)
    await expect(ways[way](target, callOf({ limits }))).rejects.toMatchObject({
      kind: 'invalid_reply',
      message: 'The reply is longer than 5000 characters.',
    })
})

test('a private address is not called', async () => {
  const upstream = await startUpstream()
  const settings = { id: 'fake', executor: 'ollama', endpoint: 'http://10.0.0.1:11434' } as const
  const target = await targetAt(upstream, 'ollama', { settings })

  await expect(target.complete(callOf())).rejects.toMatchObject({
    kind: 'network',
    explanation: expect.stringMatching(
      /^Target fake was not called, because http:\/\/10\.0\.0\.1:11434 is .*outbound\.allow.*inference\.targets\.fake\.endpoint/,
    ),
  })
})

test.each(libraryExecutors)(
  '%s: a redirect names the target, its address and its setting',
  async (executor) => {
    const upstream = await startUpstream()
    upstream.fail('redirect')
    const target = await targetAt(upstream, executor)

    await expect(ways.complete(target, callOf())).rejects.toMatchObject({
      explanation: `The server of target fake, ${upstream.url}, replied with a redirect, which is not followed. Set inference.targets.fake.endpoint to the address that it leads to`,
    })
  },
)

test('a server that does not run is named with its address', async () => {
  const upstream = await startUpstream()
  const target = await targetAt(upstream, 'openai-compatible')
  await upstream.stop()

  await expect(ways.stream(target, callOf())).rejects.toMatchObject({
    kind: 'network',
    explanation: expect.stringContaining(
      `The connection of target fake to ${upstream.url} failed.`,
    ),
  })
})
