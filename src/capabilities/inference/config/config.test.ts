import { describe, expect, test } from 'vitest'
import { parseConfig } from './parse-config.ts'

const parse = (section: unknown, extraction?: unknown) => parseConfig({ section, extraction })
const local = { executor: 'ollama', models: { small: { model: 'tiny:1b' } } }
const remote = {
  executor: 'openai-compatible',
  endpoint: 'https://models.example/v1/',
  models: { big: { model: 'big-1' } },
}
const issuesOf = (section: unknown) => parse(section).issues

test('without settings, inference is disabled and has no issue', () => {
  const config = parse(undefined)

  expect(config).toMatchObject({ enabled: false, source: 'disabled', issues: [] })
  expect(config.limits).toMatchObject({ timeoutMs: 120_000, firstByteMs: 30_000 })
})

test('one target is enough: it has an endpoint, a privacy tier and an implicit policy', () => {
  const config = parse({ targets: { home: local } })

  expect(config).toMatchObject({ enabled: true, source: 'explicit', defaultPolicy: 'auto' })
  expect(config.issues).toEqual([])
  expect(config.targets.get('home')).toMatchObject({
    kind: 'local',
    endpoint: 'http://127.0.0.1:11434',
    privacy: 'local_only',
  })
  expect([...config.models.keys()]).toEqual(['home/small'])
  expect([...config.policies.keys()]).toEqual(['auto'])
})

test('names in snake_case and older names mean the same', () => {
  const config = parse({
    default_policy: 'p',
    providers: { far: { executor: 'openai', base_url: 'https://m.example/v1', account: 'a' } },
    accounts: { a: { provider_family: 'openai', secret_ref: '$env:MODEL_KEY' } },
    policies: { p: { fallback_targets: [], max_latency_ms: 5 } },
    task_classes: { t: { tools_required: true } },
    workloads: { memory_extraction: { task_class: 't' } },
    limits: { timeout_ms: 500 },
  })

  expect(config.accounts.get('a')).toMatchObject({ credentialRef: '$env:MODEL_KEY' })
  expect(config.targets.get('far')?.endpoint).toBe('https://m.example/v1')
  expect(config.policies.get('p')?.maxLatencyMs).toBe(5)
  expect(config.taskClasses.get('t')?.toolsRequired).toBe(true)
  expect(config.workloads.memoryExtraction).toEqual({ taskClass: 't' })
  expect(config.limits.timeoutMs).toBe(500)
})

describe('an invalid entry is left out and listed', () => {
  test.each([
    [
      'an unknown executor',
      { targets: { x: { ...local, executor: 'acpx' } } },
      'inference.targets.x.executor',
    ],
    [
      'a missing endpoint',
      { targets: { x: { executor: 'openai-compatible' } } },
      'inference.targets.x.endpoint',
    ],
    [
      'a file address',
      { targets: { x: { ...remote, endpoint: 'file:///etc' } } },
      'inference.targets.x.endpoint',
    ],
    [
      'a credential in an address',
      { targets: { x: { ...remote, endpoint: 'https://u:p@m.example' } } },
      'inference.targets.x.endpoint',
    ],
    [
      'a command without a program',
      { targets: { x: { executor: 'command' } } },
      'inference.targets.x.command',
    ],
    [
      'a model without a name',
      { targets: { x: { ...local, models: { m: {} } } } },
      'inference.targets.x.models.m.model',
    ],
    ['a policy of no mode', { policies: { x: { mode: 'fast' } } }, 'inference.policies.x.mode'],
    ['an id with a slash', { targets: { 'a/b': local } }, 'inference.targets'],
    ['an unknown setting', { target: {} }, 'inference'],
    ['an unknown field', { targets: { x: { ...local, colour: 1 } } }, 'inference.targets.x'],
    ['a negative limit', { limits: { timeoutMs: -1 } }, 'inference.limits.timeoutMs'],
    ['an unknown limit', { limits: { speed: 1 } }, 'inference.limits.speed'],
    ['a budget without a limit', { budgets: { b: {} } }, 'inference.budgets.b'],
    ['an unknown workload', { workloads: { dream: {} } }, 'inference.workloads'],
    ['a list in place of entries', { targets: [] }, 'inference.targets'],
    ['a text in place of the section', 'on', 'inference'],
    ['a text in place of a boolean', { enabled: 'yes' }, 'inference.enabled'],
  ])('%s', (_, section, field) => {
    expect(issuesOf(section)).toContainEqual(
      expect.objectContaining({ severity: 'warning', field }),
    )
  })

  test('and the other entries apply', () => {
    const config = parse({ targets: { bad: { executor: 'x' }, home: local } })

    expect([...config.targets.keys()]).toEqual(['home'])
  })

  test.each(['1234', [], null, 0, { targets: null, limits: [], policies: 'x' }])(
    '%j',
    (section) => {
      expect(() => parse(section)).not.toThrow()
    },
  )
})

test('a task class that is invalid accepts local targets only', () => {
  const { taskClasses } = parse({ taskClasses: { patients: { privacy: 'lokal_only' } } })

  expect(taskClasses.get('patients')?.privacy).toBe('local_only')
})

test('a key in place of a reference is refused and not repeated', () => {
  const key = `sk-${'canary'.repeat(6)}`
  for (const credentialRef of [key, `${'a1B2'.repeat(10)}`, 'two words']) {
    const { accounts, issues } = parse({ accounts: { a: { credentialRef } } })

    expect(accounts.size).toBe(0)
    expect(issues).toHaveLength(1)
    expect(JSON.stringify(issues)).not.toContain(credentialRef)
  }
  for (const credentialRef of ['OPENAI_API_KEY', '$env:K', '$secret:my-key.2', 'op://vault/item'])
    expect(parse({ accounts: { a: { credentialRef } } }).issues).toEqual([])
})

test('references that nothing defines are warnings; a broken default policy is an error', () => {
  const config = parse({
    defaultPolicy: 'none',
    targets: { home: { ...local, account: 'absent' } },
    policies: { p: { allow: ['home/small', 'x/y'], taskTargets: { chat: ['c/d'] } } },
    taskClasses: { t: { preferredTargets: ['e/f'] } },
    workloads: { interactive: { policy: 'q', taskClass: 'u', target: 'g/h' } },
    agents: { ann: { roster: ['i/j'], pinnedTargets: { default: 'k/l' }, defaultPolicy: 'r' } },
  })

  expect(config.issues.filter(({ severity }) => severity === 'error')).toEqual([
    expect.objectContaining({ field: 'inference.defaultPolicy', ref: 'none' }),
  ])
  const refs = config.issues.filter(({ severity }) => severity === 'warning').map(({ ref }) => ref)
  expect(refs.toSorted()).toEqual(
    ['c/d', 'e/f', 'g/h', 'i/j', 'k/l', 'absent', 'q', 'r', 'u', 'x/y'].toSorted(),
  )
})

test.each([
  ['ollama', 'http://127.0.0.1:11434', 'local_only'],
  ['ollama', 'http://localhost:11434/v1/', 'local_only'],
  ['ollama', 'http://192.168.1.7:11434', 'local_only'],
  ['ollama', 'http://[::1]:11434/api', 'local_only'],
  ['ollama', 'http://gpu.lan:11434', 'local_only'],
  ['ollama', 'https://models.example', 'remote_ok'],
  ['ollama', 'http://2130706433', 'local_only'],
  ['llama-cpp', 'http://8.8.8.8/v1', 'remote_ok'],
  ['llama-cpp', 'http://127.0.0.1.models.example/v1', 'remote_ok'],
  ['openai-compatible', 'http://127.0.0.1:1234/v1', 'remote_ok'],
])('%s at %s is %s by default', (executor, endpoint, privacy) => {
  expect(
    parse({ targets: { x: { ...local, executor, endpoint } } }).targets.get('x')?.privacy,
  ).toBe(privacy)
})

test('settings cannot call a remote target local', () => {
  const privacy = 'local_only'
  const { targets, models, issues } = parse({
    targets: {
      far: { ...remote, privacy },
      near: { ...remote, endpoint: 'http://127.0.0.1:1/v1', privacy },
      agent: { executor: 'codex', models: { m: { model: 'm' } }, privacy },
      cloud: { ...local, models: { big: { model: 'big:120b-cloud' }, small: { model: 's' } } },
    },
  })

  expect([...targets.values()].map((target) => target.privacy)).toEqual([
    'remote_ok',
    'local_only',
    'restricted_remote',
    'local_only',
  ])
  expect(models.get('cloud/big')?.privacy).toBe('remote_ok')
  expect(models.get('cloud/small')?.privacy).toBe('local_only')
  expect(issues.map(({ field }) => field)).toEqual([
    'inference.targets.far.privacy',
    'inference.targets.agent.privacy',
    'inference.targets.cloud.models',
  ])
})

test.each([
  ['anthropic', 'https://a.example', 'https://a.example/v1'],
  ['anthropic', 'https://a.example/x/', 'https://a.example/x'],
  ['ollama', 'http://127.0.0.1:1/v1', 'http://127.0.0.1:1'],
  ['openai-compatible', 'https://m.example/v1//', 'https://m.example/v1'],
])('the endpoint of %s %s becomes %s', (executor, endpoint, expected) => {
  const { targets } = parse({ targets: { x: { ...local, executor, endpoint } } })

  expect(targets.get('x')?.endpoint).toBe(expected)
})

test('the number of entries, models and issues is bounded', () => {
  const many = (count: number, entry: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, entry]))
  const config = parse({
    targets: many(300, { ...local, models: many(70, { model: 'm' }) }),
    agents: many(300, { roster: ['a/b', 'c/d'] }),
  })

  expect(config.targets.size).toBe(256)
  expect(config.models.size).toBe(256 * 64)
  expect(config.issues.length).toBe(200)
})

test('the extraction model of earlier versions is used without a section', () => {
  const extraction = { provider: 'ollama', model: 'tiny', endpoint: 'http://127.0.0.1:9' }

  expect(parse(undefined, extraction)).toMatchObject({ enabled: true, source: 'legacy-implicit' })
  expect([...parse(undefined, extraction).models.keys()]).toEqual(['extraction/default'])
  expect(parse(undefined, { ...extraction, provider: 'none' }).source).toBe('disabled')
  expect(parse({}, extraction).source).toBe('disabled')
})

test('policies, task classes and oauth providers keep their fields', () => {
  const device = {
    flow: 'device',
    clientId: 'reverie',
    tokenEndpoint: 'https://login.example/token',
    deviceAuthorizationEndpoint: 'https://login.example/device',
  }
  const { oauth, issues } = parse({ oauth: { company: device, 'Bad Id': device } })

  expect([...oauth]).toEqual([['company', expect.objectContaining({ callbackPath: '/callback' })]])
  expect(issues).toHaveLength(1)
})
