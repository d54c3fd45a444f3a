import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { manualClockHost } from '../../../kernel/testing/manual-clock-host.ts'
import { RouterError } from '../decision/router-error.ts'
import {
  credentialsOf,
  failWith,
  hanging,
  openInference,
  replyOf,
  requestFor,
  twoTargets,
  usage,
} from '../inference.fixture.ts'
import { execute } from './execute.ts'

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('no error'),
    (error) => error,
  )

test('a call answers with text, usage with its cost, decision and attempts', async () => {
  const { router, calls } = await openInference()
  const result = await execute(router, requestFor())

  expect(result).toMatchObject({
    text: 'a',
    targetRef: 'a/m',
    usage: { inputTokens: 7, totalCost: 10 / 1e6 },
    decision: { targetRef: 'a/m', fallbackTargetRefs: ['b/m'] },
    attempts: [{ targetRef: 'a/m', ok: true }],
  })
  expect(calls).toMatchObject([{ target: 'a', model: 'model-a', agentId: 'ann' }])
})

describe('a failing target', () => {
  test.each([
    ['429', { kind: 'http', status: 429 } as const],
    ['500', { kind: 'http', status: 500 } as const],
    ['a cut connection', { kind: 'network' } as const],
    ['silence', { kind: 'timeout' } as const],
    ['an invalid reply', { kind: 'invalid_reply' } as const],
    ['a missing program', { kind: 'runtime_unavailable' } as const],
  ])('with %s is followed by the next one', async (_, shape) => {
    const { router, records } = await openInference({ behaviours: { a: failWith(shape) } })
    const result = await execute(router, requestFor())

    expect(result).toMatchObject({
      text: 'b',
      attempts: [
        { targetRef: 'a/m', ok: false, error: expect.any(String) },
        { targetRef: 'b/m', ok: true },
      ],
    })
    await expect
      .poll(() => records.map(({ event }) => event))
      .toEqual(['inference.execute', 'inference.fallback'])
    expect(records[0]).toMatchObject({
      attemptPath: 'a/m -> b/m',
      failedTargets: 'a/m',
      fallbackCount: 1,
      finalTarget: 'b/m',
      errorCode: null,
      success: true,
    })
  })

  test('that refuses for its account is skipped by the next call', async () => {
    const { router, host, calls } = await openInference({
      behaviours: { a: failWith({ kind: 'http', status: 429, retryAfterMs: 120_000 }) },
    })
    await execute(router, requestFor())
    const next = await execute(router, requestFor())

    expect(next.attempts[0]).toEqual({
      targetRef: 'a/m',
      ok: false,
      durationMs: 0,
      error: 'Blocked by account:rate_limited.',
    })
    host.advance?.(119_000)
    await execute(router, requestFor())
    expect(calls.map(({ target }) => target)).toEqual(['a', 'b', 'b', 'b'])
    host.advance?.(2_000)
    await execute(router, requestFor())
    expect(calls.map(({ target }) => target)).toEqual(['a', 'b', 'b', 'b', 'a', 'b'])
  })

  test('opens its circuit after three failures, and one call tests it a minute later', async () => {
    const { router, host, calls, behaviours } = await openInference({
      behaviours: { a: failWith({ kind: 'http', status: 503 }) },
    })
    for (let call = 0; call < 5; call++) await execute(router, requestFor())
    expect(calls.filter(({ target }) => target === 'a')).toHaveLength(3)

    host.advance?.(61_000)
    behaviours['a'] = {}
    const tested = await execute(router, requestFor())
    expect(tested.attempts[0]?.targetRef).toBe('a/m')
  })

  test('with 400 opens no circuit', async () => {
    const { router, calls } = await openInference({
      behaviours: { a: failWith({ kind: 'http', status: 400 }) },
    })
    for (let call = 0; call < 5; call++) await execute(router, requestFor())

    expect(calls.filter(({ target }) => target === 'a')).toHaveLength(5)
  })

  test('that is the last one leads to an error with all attempts', async () => {
    const failure = failWith({ kind: 'http', status: 500, providerMessage: 'overloaded' })
    const { router, records } = await openInference({ behaviours: { a: failure, b: failure } })
    const error = await errorOf(execute(router, requestFor()))

    expect(error).toBeInstanceOf(RouterError)
    expect(error.details).toMatchObject({
      code: 'execution-failed',
      attempts: [{ targetRef: 'a/m' }, { targetRef: 'b/m' }],
    })
    expect(error.message).toBe('The provider refused the call with status 500: overloaded')
    await expect.poll(() => records[0]).toMatchObject({ errorCode: 'ERROR', success: false })
  })
})

test('an account without a credential is not called', async () => {
  const section = {
    accounts: { key: { credentialRef: '$env:ABSENT' } },
    targets: { ...twoTargets.targets, a: { ...twoTargets.targets.a, account: 'key' } },
  }
  const { router, calls } = await openInference({
    section,
    credentials: credentialsOf(undefined),
  })
  const result = await execute(router, requestFor())

  expect(result.attempts[0]).toMatchObject({ error: 'Blocked by account:missing.' })
  expect(calls.map(({ target }) => target)).toEqual(['b'])
})

describe('an error of a provider', () => {
  const key = ['synthetic', 'canary', 'key', '0123456789'].join('-')
  test.each([
    ['our key', `bad key ${key}`, [key]],
    ['the prompt', 'you sent: What is the canary phrase of today?', ['canary phrase']],
    ['the prompt with escapes', 'input \\"what is the canary\\n phrase of today\\"', ['canary']],
    ['a token', 'Authorization: Bearer abcdefgh12345678ABCDEFGH', ['abcdefgh12345678']],
  ])('that repeats %s is cleaned', async (_, providerMessage, secrets) => {
    const failure = failWith({ kind: 'http', status: 500, providerMessage })
    const section = {
      accounts: { key: { credentialRef: '$env:KEY' } },
      targets: { a: { ...twoTargets.targets.a, account: 'key' } },
    }
    const { router } = await openInference({
      section,
      behaviours: { a: failure },
      credentials: credentialsOf(key),
    })
    const error = await errorOf(execute(router, requestFor()))

    const text = JSON.stringify([error.message, error.details]).toLowerCase()
    for (const secret of secrets) expect(text).not.toContain(secret.toLowerCase())
    expect(text).toContain('status 500')
  })
})

test('the deadline ends the call, which says so and blames no target', async () => {
  const host = manualClockHost()
  const aborted: string[] = []
  const { router, records } = await openInference({ host, behaviours: { a: hanging(aborted) } })
  const call = errorOf(execute(router, requestFor({ timeoutMs: 500 })))
  await expect.poll(() => host.sleeps()).toContain(500)
  await expect.poll(() => router.concurrency.active().execute).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 50))
  host.advance(501)

  expect((await call).details.attempts).toEqual([
    expect.objectContaining({ targetRef: 'a/m', error: expect.stringContaining('timeout') }),
  ])
  expect(aborted).toEqual(['aborted'])
  await expect.poll(() => records[0]?.errorCode).toBe('TIMEOUT')
  expect(router.states.read(router.settings.current(), 'a/m').health).toBe('healthy')
})

test('a client that goes away ends the call and frees its slot', async () => {
  const aborted: string[] = []
  const { router, records } = await openInference({
    host: realHost,
    behaviours: { a: hanging(aborted) },
  })
  const client = new AbortController()
  const call = errorOf(execute(router, requestFor({ signal: client.signal })))
  await expect.poll(() => router.concurrency.active().execute).toBe(1)
  setTimeout(() => client.abort(), 30)
  await call

  expect(aborted).toEqual(['aborted'])
  expect(router.concurrency.active()).toEqual({
    execute: 0,
    nativeStream: 0,
    gatewayStream: 0,
    total: 0,
  })
  await expect.poll(() => records[0]).toMatchObject({ errorCode: 'CANCELLED', cancelled: true })
})

test('a target that ignores the abort does not hold the call', async () => {
  const { router } = await openInference({
    host: realHost,
    behaviours: { a: { complete: () => new Promise(() => {}) } },
  })

  const error = await errorOf(execute(router, requestFor({ timeoutMs: 100 })))
  expect(error.message).toMatch(/timeout/)
})

test('the ninth call at the same time is refused at once, and every exit frees a slot', async () => {
  const { router, behaviours, records } = await openInference({
    host: realHost,
    behaviours: { a: hanging() },
  })
  const client = new AbortController()
  const calls = Array.from({ length: 8 }, () =>
    errorOf(execute(router, requestFor({ signal: client.signal }))),
  )
  const refused = await errorOf(execute(router, requestFor()))
  expect(refused).toMatchObject({
    code: 'concurrency_limit',
    details: { kind: 'execute', active: { execute: 8, total: 8 }, limits: { execute: 8 } },
  })
  await expect.poll(() => records.map(({ errorCode }) => errorCode)).toContain('CONCURRENCY_LIMIT')

  client.abort()
  await Promise.all(calls)
  behaviours['a'] = { complete: () => Promise.reject(new Error('a bug of a library')) }
  behaviours['b'] = failWith({ kind: 'http', status: 500 })
  await errorOf(execute(router, requestFor()))
  await errorOf(
    execute(
      router,
      requestFor({ route: { operation: 'default', agentId: 'a', privacy: 'local_only' } }),
    ),
  )
  expect(router.concurrency.active().total).toBe(0)
})

test('a paused pipeline ends background operations and refuses new ones', async () => {
  const { router, gate } = await openInference({ host: realHost, behaviours: { a: hanging() } })
  const route = { operation: 'memory_extraction', agentId: 'ann' } as const
  const running = errorOf(execute(router, requestFor({ route })))
  await expect.poll(() => router.concurrency.active().execute).toBe(1)

  await expect(gate.close()).resolves.toMatchObject({ activeAtStart: 1, remaining: 0 })
  await expect(running).resolves.toMatchObject({ code: 'pipeline_paused' })
  await expect(errorOf(execute(router, requestFor({ route })))).resolves.toBeInstanceOf(Refusal)
  expect(router.concurrency.active().total).toBe(0)
})

test('a spent budget is refused without a call', async () => {
  const { router, calls } = await openInference({
    section: { ...twoTargets, budgets: { daily: { maxTokens: 5 } } },
  })

  await expect(errorOf(execute(router, requestFor()))).resolves.toMatchObject({
    code: 'budget_exhausted',
    kind: 'too_many',
    details: { code: 'budget-exhausted', budgets: ['daily'], resetsAt: '2026-01-03T00:00:00.000Z' },
  })
  expect(calls).toEqual([])
})

test('a call ends with the settings it began with', async () => {
  const { router, change, calls } = await openInference({
    behaviours: {
      a: {
        complete: async () => {
          change({ targets: { c: twoTargets.targets.a } })
          return { ...replyOf('late'), usage: { ...usage, inputTokens: null } }
        },
      },
    },
  })

  await expect(execute(router, requestFor())).resolves.toMatchObject({ text: 'late' })
  await expect(execute(router, requestFor())).resolves.toMatchObject({ targetRef: 'c/m' })
  expect(calls.map(({ target }) => target)).toEqual(['a', 'c'])
})

test('without a target, inference is disabled', async () => {
  const { router } = await openInference({ section: {} })

  await expect(errorOf(execute(router, requestFor()))).resolves.toMatchObject({
    code: 'inference_disabled',
  })
})
