import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { parseEvents } from '../support/inference-service.ts'
import { expireReservations, inspectDatabase } from '../support/inspect-database.ts'
import { startModelUpstream } from '../support/model-upstream.ts'
import { startOAuthProvider } from '../support/oauth-provider.ts'
import { startService } from '../support/start-service.ts'

const pollOptions = { timeout: 20_000, interval: 50 }
const model = await startModelUpstream()
const provider = await startOAuthProvider()
const device = {
  flow: 'device',
  clientId: 'reverie',
  tokenEndpoint: `${provider.url}/token`,
  deviceAuthorizationEndpoint: `${provider.url}/device`,
}
const target = {
  executor: 'openai-compatible',
  endpoint: `${model.url}/v1`,
  models: { m: { model: 'model-a' } },
}
const inference = {
  oauth: { company: device, partner: device },
  accounts: { signed: { kind: 'subscription_session', providerFamily: 'company' } },
  targets: {
    plain: target,
    far: { ...target, endpoint: 'http://10.0.0.1/v1' },
    signed: { ...target, account: 'signed' },
  },
  budgets: { daily: { maxTokens: 100_000 }, poor: { agent: 'poor', maxTokens: 30 } },
}
const service = await startService({ engine: 'sqlite', config: { inference } })
afterAll(async () => {
  await service.stop()
  await Promise.all([model.stop(), provider.stop()])
})

const ask = (operation: string, body?: object) =>
  service.ask(operation, { role: 'admin', ...(body && { body }) })
const execute = (ref: string) =>
  ask('POST /api/inference/execute', { prompt: 'Where is the heron?', explicitTargets: [ref] })
const post = (path: string, body: object = {}) =>
  fetch(service.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.tokenFor('admin')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })

test('a running stream ends with the settings that it began with', async () => {
  model.fail('pause')
  const path = join(service.workspace, 'agent.yaml')
  const before = await readFile(path, 'utf8')
  const reply = await post('/api/inference/stream', { prompt: 'Go.', explicitTargets: ['plain/m'] })
  const { targets, ...others } = inference
  const changed = { ...others, targets: { signed: targets.signed } }
  await writeFile(path, stringify({ ...parse(before), inference: changed }))
  await expect
    .poll(async () => (await ask('GET /api/inference/status')).body['targetRefs'], pollOptions)
    .toEqual(['signed/m'])
  model.fail()

  const events = parseEvents(await reply.text())
  expect(events.at(-1)).toMatchObject({ event: 'done', data: { text: 'Hello from the model.' } })
  expect((await execute('plain/m')).status).toBe(502)
  await writeFile(path, before)
  await expect.poll(async () => (await execute('plain/m')).status, pollOptions).toBe(200)
})

const readBudget = async () => {
  const { body } = await ask('GET /api/inference/status')
  const [budget] = body['budgets'] as {
    readonly used: { readonly tokens: number }
    readonly reserved: { readonly tokens: number }
  }[]
  return { used: budget?.used.tokens ?? 0, reserved: budget?.reserved.tokens ?? 0 }
}
const readLogins = async () => {
  const { body } = await ask('GET /api/inference/oauth/providers')
  const items = body['providers'] as readonly { readonly id: string; readonly connected: boolean }[]
  return Object.fromEntries(items.map(({ id, connected }) => [id, connected]))
}

test('a call of a private address names the target, the address and the setting', async () => {
  const { status, body } = await execute('far/m')

  expect(status).toBe(502)
  const names = ['far', 'http://10.0.0.1', 'outbound.allow', 'inference.targets.far.endpoint']
  for (const name of names) expect(body['error']).toContain(name)
})

const spend = () =>
  ask('POST /api/inference/execute', {
    prompt: 'Where is the heron?',
    agentId: 'poor',
    explicitTargets: ['plain/m'],
    maxTokens: 5,
  })

test('a spent budget refuses calls after a restart and after a kill, without the provider', async () => {
  model.fail()
  const stopped = {
    status: 429,
    body: { code: 'budget_exhausted', details: { budgets: ['poor'] } },
  }
  expect((await spend()).status).toBe(200)
  expect((await spend()).status).toBe(200)
  const calls = model.requests.length
  expect(await spend()).toMatchObject(stopped)
  for (const end of [async () => {}, () => service.kill()]) {
    await end()
    await service.restart()
    expect(await spend()).toMatchObject(stopped)
    const { body } = await ask('GET /api/inference/status')
    expect(body['budgets']).toContainEqual(
      expect.objectContaining({ id: 'poor', state: 'stopped', resetsAt: expect.any(String) }),
    )
  }
  expect(model.requests.length).toBe(calls)
  expect((await execute('plain/m')).status).toBe(200)
})

const countRefreshes = () =>
  provider.tokenRequests.filter((params) => params['grant_type'] === 'refresh_token').length

test('a daemon killed during a call, a login and a refresh loses none of what was stored', async () => {
  provider.issueFor(30)
  await (await post('/api/inference/oauth/login/company')).text()
  const { used } = await readBudget()
  const refreshesBefore = countRefreshes()

  model.fail('silence')
  provider.holdRefresh(true)
  provider.answerDevice('authorization_pending')
  const ended = [execute('plain/m'), execute('signed/m')].map((call) => call.catch(() => 'gone'))
  const login = post('/api/inference/oauth/login/partner').then((reply) => reply.text())
  const endedLogin = login.catch(() => 'gone')
  await expect.poll(() => model.active(), pollOptions).toBe(1)
  await expect.poll(countRefreshes, pollOptions).toBeGreaterThan(refreshesBefore)
  await service.kill()
  expect(await Promise.all([...ended, endedLogin])).toEqual(['gone', 'gone', 'gone'])
  expect(inspectDatabase(service.workspace)).toEqual([])

  model.fail()
  provider.holdRefresh(false)
  provider.answerDevice('approve')
  provider.issueFor(3_600)
  const refreshes = countRefreshes()
  await service.restart()
  const { reserved } = await readBudget()
  expect(reserved).toBeGreaterThan(0)
  expect(await readLogins()).toMatchObject({ company: true, partner: false })
  expireReservations(service.workspace)
  expect((await execute('signed/m')).status).toBe(200)
  expect(countRefreshes()).toBe(refreshes + 1)
  expect(model.requests.at(-1)?.headers.authorization).toMatch(/^Bearer synthetic-access-token-\d$/)
  expect(await readBudget()).toEqual({ used: used + reserved + 15, reserved: 0 })
  await (await post('/api/inference/oauth/login/partner')).text()
  expect(await readLogins()).toMatchObject({ company: true, partner: true })
})
