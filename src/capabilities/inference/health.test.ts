import { expect, test } from 'vitest'
import { inferenceDomain, inferenceHealth } from './health.ts'
import {
  credentialsOf,
  failWith,
  openInference,
  requestFor,
  twoTargets,
} from './inference.fixture.ts'
import { execute } from './run/execute.ts'

type Given = Parameters<typeof openInference>[0]

/** The reasons of the health check, and the findings of the domain with their fixes. */
async function examine(given: Given, calls = 0) {
  const { router } = await openInference(given)
  for (let call = 0; call < calls; call++) await execute(router, requestFor()).catch(() => {})
  const { status, reasons, details } = await inferenceHealth(router).check()
  const { fields, findings } = await inferenceDomain(router).check()
  expect(findings.map(({ detail }) => detail)).toEqual(reasons)
  expect([fields['status'], findings.every(({ penalty }) => penalty === 0)]).toEqual([status, true])
  return { status, details, problems: findings.map(({ detail, fix }) => [detail, fix?.command]) }
}

const { a, b } = twoTargets.targets

test('without a model, inference is disabled and has no problem', async () => {
  expect(await examine({ section: {} })).toMatchObject({
    status: 'disabled',
    details: { configured: false, effective: false, reason: 'no model is configured' },
    problems: [],
  })
})

test('with a model, inference is in order', async () => {
  expect(await examine({})).toMatchObject({
    status: 'ok',
    details: { configured: true, effective: true, reason: null, issues: 0 },
  })
})

test.each<[string, Given, number, string, string]>([
  [
    'a broken reference',
    { section: { ...twoTargets, policies: { auto: { deny: ['none/m'] } } } },
    0,
    'inference.policies.auto.deny is invalid: correct the settings',
    'reverie inference status',
  ],
  [
    'a stopped budget',
    { section: { ...twoTargets, budgets: { daily: { maxTokens: 0 } } } },
    0,
    'the budget daily is used up: raise it or wait for its next period',
    'reverie config get inference.budgets.daily',
  ],
  [
    'a missing credential',
    {
      section: {
        accounts: { work: { credentialRef: '$env:ABSENT' } },
        targets: { b, a: { ...a, account: 'work' } },
      },
      credentials: credentialsOf(undefined),
    },
    0,
    'the account work is missing: set the variable or the secret that credentialRef names',
    'reverie config get inference.accounts.work',
  ],
  [
    'a login that is not stored',
    {
      section: {
        accounts: { work: { kind: 'subscription_session', providerFamily: 'openrouter' } },
        targets: { b, a: { ...a, account: 'work' } },
      },
    },
    0,
    'the account work is missing: sign in',
    'reverie inference login openrouter',
  ],
  [
    'a rate limit',
    { behaviours: { a: failWith({ kind: 'http', status: 429 }) } },
    1,
    'the target a is rate_limited: wait, or add a fallback',
    'reverie config get inference.targets.a',
  ],
  [
    'a credential that is refused',
    { behaviours: { a: failWith({ kind: 'http', status: 401 }) } },
    1,
    'the target a is expired: renew its credential',
    'reverie config get inference.targets.a',
  ],
  [
    'a program that is not installed',
    { section: { targets: { b, cli: { executor: 'codex', models: { m: { model: 'x' } } } } } },
    0,
    'the target cli cannot run: The program codex is not installed',
    'reverie inference test cli/m',
  ],
])('%s is a problem with its own fix', async (_, given, calls, detail, command) => {
  expect(await examine(given, calls)).toMatchObject({
    status: 'degraded',
    problems: [[detail, command]],
  })
})
