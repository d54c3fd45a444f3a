import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import { decideFor, inputFor } from './decision.fixture.ts'
import type { RouteRequest } from './request.ts'
import { RouterError } from './router-error.ts'

const refs = ['home/small', 'far/mid', 'best/big']

function errorOf(run: () => unknown): RouterError {
  try {
    run()
  } catch (error) {
    if (error instanceof RouterError) return error
    throw error
  }
  throw new Error('no error')
}

function blocksOf(...given: Parameters<typeof inputFor>): Record<string, readonly string[]> {
  const [section, request = {}, rest] = given
  const { trace } = decideFor(section, { ...request }, rest)
  return Object.fromEntries(trace.candidates.map((each) => [each.targetRef, each.blockedBy]))
}

describe('the policy', () => {
  const policies = { p1: {}, p2: {}, p3: {}, p4: {}, p5: {} }
  const agents = { ann: { defaultPolicy: 'p3' } }
  const workloads = { interactive: { policy: 'p2' } }
  test.each([
    ['named by the request', { agents, workloads, defaultPolicy: 'p4' }, 'p5', 'p5'],
    ['of the workload', { agents, workloads, defaultPolicy: 'p4' }, undefined, 'p2'],
    ['of the agent', { agents, defaultPolicy: 'p4' }, undefined, 'p3'],
    ['by default', { defaultPolicy: 'p4' }, undefined, 'p4'],
    ['that is first', {}, undefined, 'p1'],
  ])('%s applies', (_, section, explicitPolicy, expected) => {
    expect(decideFor({ policies, ...section }, { explicitPolicy }).policyId).toBe(expected)
  })

  test('that is unknown is an error, and so is a broken default policy', () => {
    const unknown = errorOf(() => decideFor({ policies }, { explicitPolicy: 'p9' }))
    const broken = errorOf(() =>
      decideFor({ policies, defaultPolicy: 'p9' }, { explicitPolicy: 'p1' }),
    )

    expect([unknown.code, broken.code]).toEqual(['policy-not-found', 'invalid-config'])
  })
})

describe('the order of targets', () => {
  const orderOf = (section: object, request: Partial<RouteRequest> = {}) =>
    decideFor(section, request).trace.orderedTargets
  const [home = '', far = '', best = ''] = refs

  test.each<[string, object, Partial<RouteRequest>, string[]]>([
    ['is that of the settings', {}, {}, [home, far, best]],
    [
      'begins with a pin of the task',
      { agents: { ann: { pinnedTargets: { interactive: best, default: far } } } },
      {},
      [best, far, home],
    ],
    [
      'begins with a pin for every task',
      { agents: { ann: { pinnedTargets: { default: far } } } },
      {},
      [far, home, best],
    ],
    [
      'has the target of the workload next',
      { workloads: { default: { target: best } } },
      {},
      [best, home, far],
    ],
    [
      'has what the agent prefers',
      { agents: { ann: { preferredTargets: { default: [best] } } } },
      {},
      [best, home, far],
    ],
    [
      'has what the task class prefers',
      { taskClasses: { interactive: { preferredTargets: [far] } } },
      {},
      [far, home, best],
    ],
    [
      'has the targets of the task in the policy',
      { policies: { p: { taskTargets: { interactive: [best] }, defaultTargets: [far] } } },
      {},
      [best, far, home],
    ],
    ['is limited by the roster', { agents: { ann: { roster: [best, 'x/y'] } } }, {}, [best]],
    [
      'is limited by allow and deny',
      { policies: { p: { allow: [home, far], deny: [home] } } },
      {},
      [far],
    ],
    ['has only the targets that the request names', {}, { explicitTargets: [best, best] }, [best]],
    [
      'ignores a pin that the policy denies',
      { agents: { ann: { pinnedTargets: { default: best } } }, policies: { p: { deny: [best] } } },
      {},
      [home, far],
    ],
    [
      'ignores fallbacks that the policy denies',
      { policies: { p: { allow: [home], fallbackTargets: [best] } } },
      {},
      [home],
    ],
    [
      'reads no inherited member',
      { agents: { ann: { pinnedTargets: {} } } },
      { taskClass: 'constructor' },
      [home, far, best],
    ],
  ])('%s', (_, section, request, expected) => {
    expect(orderOf(section, request)).toEqual(expected)
  })

  test('uses the only agent for the default one', () => {
    const agents = { bo: { pinnedTargets: { default: best } } }

    expect(orderOf({ agents }, { agentId: 'default' })[0]).toBe(best)
    expect(orderOf({ agents }, { agentId: 'ann' })[0]).toBe(home)
  })
})

describe('a gate blocks a target', () => {
  const [home = '', far = '', best = ''] = refs
  test.each<[string, Parameters<typeof inputFor>, string, string]>([
    ['that is less private', [{}, { privacy: 'local_only' }], far, 'privacy'],
    ['that is not local', [{}, { privacy: 'local_only' }], best, 'local'],
    [
      'that is less private than the task class',
      [{ taskClasses: { t: { privacy: 'restricted_remote' } } }, { taskClass: 't' }],
      far,
      'privacy',
    ],
    [
      'without tools',
      [
        {
          targets: {
            home: {
              executor: 'ollama',
              models: { m: { model: 'm', toolUse: false }, n: { model: 'n' } },
            },
          },
        },
        { requireTools: true },
      ],
      'home/m',
      'tools',
    ],
    [
      'without a stream',
      [
        {
          targets: {
            home: {
              executor: 'ollama',
              models: { m: { model: 'm', streaming: false }, n: { model: 'n' } },
            },
          },
        },
        { requireStreaming: true },
      ],
      'home/m',
      'streaming',
    ],
    ['without images', [{}, { requireMultimodal: true }], far, 'multimodal'],
    [
      'with a small context',
      [{}, { expectedInputTokens: 900, expectedOutputTokens: 200 }],
      best,
      'context',
    ],
    [
      'that is not available',
      [{}, {}, { states: { [far]: { available: false } } }],
      far,
      'executor:unavailable',
    ],
    [
      'with an open circuit',
      [{}, {}, { states: { [far]: { circuitOpen: true } } }],
      far,
      'executor:circuit-open',
    ],
    [
      'that is unhealthy',
      [{}, {}, { states: { [far]: { health: 'blocked' } } }],
      far,
      'executor:blocked',
    ],
    [
      'without a credential',
      [{}, {}, { states: { [far]: { accountState: 'missing' } } }],
      far,
      'account:missing',
    ],
    [
      'with an expired account',
      [{}, {}, { states: { [far]: { accountState: 'expired' } } }],
      far,
      'account:expired',
    ],
    [
      'at its rate limit',
      [{}, {}, { states: { [far]: { accountState: 'rate_limited' } } }],
      far,
      'account:rate_limited',
    ],
    ['above the ceiling of cost', [{}, { costCeiling: 'medium' }], best, 'cost'],
    ['above the ceiling of the policy', [{ policies: { p: { costCeiling: 'low' } } }], far, 'cost'],
    ['over twice the budget of latency', [{}, { latencyBudgetMs: 1_000 }], best, 'latency'],
    ['with a full budget', [{}, {}, { budgets: { [far]: ['budget:daily'] } }], far, 'budget:daily'],
    [
      'that the policy denies',
      [{ policies: { p: { deny: [far] } } }, { explicitTargets: [far, home] }],
      far,
      'policy',
    ],
  ])('%s', (_, given, ref, gate) => {
    expect(blocksOf(...given)[ref]).toContain(gate)
  })

  test('of the request: its ceiling precedes that of the task class and of the policy', () => {
    const section = {
      taskClasses: { t: { costCeiling: 'low' } },
      policies: { p: { costCeiling: 'low' } },
    }

    expect(blocksOf(section, { taskClass: 't', costCeiling: 'high' })[best]).toEqual([])
  })

  test('and the last one leads to an error with the trace', () => {
    const error = errorOf(() =>
      decideFor({}, { privacy: 'local_only', explicitTargets: [far, best] }),
    )

    expect(error.details).toMatchObject({
      code: 'no-candidates',
      trace: {
        candidates: [{ blockedBy: ['privacy', 'local'] }, { blockedBy: ['privacy', 'local'] }],
      },
    })
  })
})

describe('the privacy of a request', () => {
  const section = {
    taskClasses: { secret: { privacy: 'local_only' }, open: { privacy: 'remote_ok' } },
    workloads: { aggregateRecall: { taskClass: 'secret' } },
  }
  test.each<[string, Partial<RouteRequest>, string]>([
    [
      'cannot be lowered by the request',
      { taskClass: 'secret', privacy: 'remote_ok' },
      'local_only',
    ],
    ['can be raised by the request', { taskClass: 'open', privacy: 'local_only' }, 'local_only'],
    [
      'follows the workload of aggregate recall',
      { operation: 'aggregate_recall', taskClass: 'open' },
      'local_only',
    ],
    [
      'follows it for its planner too',
      { operation: 'tool_planning', taskClass: 'open' },
      'local_only',
    ],
    ['is open otherwise', { taskClass: 'open' }, 'remote_ok'],
  ])('%s', (_, request, expected) => {
    expect(decide(inputFor(section, request)).requirements.privacy).toBe(expected)
  })

  test('holds for every fallback, pin and workload', () => {
    const decision = decideFor(
      {
        agents: { ann: { pinnedTargets: { default: 'far/mid' } } },
        workloads: { interactive: { target: 'best/big' } },
        policies: { p: { fallbackTargets: ['far/mid'], defaultTargets: ['far/mid'] } },
      },
      { privacy: 'local_only' },
    )

    expect([decision.targetRef, decision.fallbackTargetRefs]).toEqual(['home/small', []])
  })
})

test('a ref that is not defined is an error', () => {
  expect(errorOf(() => decideFor({}, { explicitTargets: ['x/y'] })).code).toBe('target-not-found')
})
