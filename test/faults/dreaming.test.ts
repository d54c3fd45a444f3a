import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sampleRounds } from '../support/load.ts'
import { startModelUpstream } from '../support/model-upstream.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { type Service, startService } from '../support/start-service.ts'

const pollOptions = { timeout: 60_000, interval: 100 }
const memory = { dreaming: { enabled: true } }

const toInference = (url: string) => ({
  targets: {
    local: {
      executor: 'openai-compatible',
      endpoint: `${url}/v1`,
      models: { m: { model: 'model-a', price: { input: 1, output: 2 } } },
    },
  },
  policies: { auto: { mode: 'strict', defaultTargets: ['local/m'] } },
})

async function startUpstream() {
  const upstream = await startModelUpstream()
  onTestFinished(() => upstream.stop())
  upstream.reply({ text: JSON.stringify({ calls: [], done: true, note: null }) })
  return upstream
}

const ask = (service: Service, operation: string, body?: unknown) =>
  service.ask(operation, { role: 'admin', ...(body !== undefined && { body }) })

const trigger = (service: Service) => ask(service, 'POST /api/dream/trigger', {})

async function waitForEnd(service: Service, passId: unknown) {
  const read = async () =>
    Object((await ask(service, `GET /api/dream/passes/${passId}`)).body['pass'])
  await expect.poll(async () => (await read()).status, pollOptions).not.toBe('running')
  return await read()
}

const countEntities = async (service: Service) => {
  const { body } = await ask(service, 'GET /api/knowledge/navigation/entities')
  return (body['items'] as readonly unknown[]).length
}

const countClaims = async (service: Service) => {
  const { body } = await ask(service, 'GET /api/dream/quality')
  return Object(body['citationCoverage']).totalClaimValues
}

const who = 'Ines Calloway'

test('a daemon killed in the middle of a pass has written nothing, and the next pass reads the same', async () => {
  const upstream = await startUpstream()
  const service = await startService({ config: { memory, inference: toInference(upstream.url) } })
  onTestFinished(() => service.stop())
  await ask(service, 'POST /api/memory/remember', { content: 'My main editor is Kestrel.', who })
  upstream.fail('silence')
  const { body: started } = await trigger(service)
  await expect.poll(() => upstream.requests.length, pollOptions).toBeGreaterThan(0)

  await service.kill()
  upstream.fail()
  await service.restart()

  const { body } = await ask(service, `GET /api/dream/passes/${started['passId']}`)
  expect(body).toMatchObject({
    pass: { status: 'failed', error: 'The daemon stopped during this pass' },
    operations: [],
  })
  expect(await countEntities(service)).toBe(0)
  const { body: next } = await trigger(service)
  expect(await waitForEnd(service, next['passId'])).toMatchObject({
    status: 'completed',
    mutationsApplied: 1,
    modelStatus: 'completed',
  })
  expect(await countEntities(service)).toBe(1)
})

test('two daemons on one server never run the same pass', async () => {
  const upstream = await startUpstream()
  const { url, stop } = await startPostgres()
  onTestFinished(() => stop())
  const config = { memory, inference: toInference(upstream.url), database: { url } }
  const one = await startService({ engine: 'sqlite', config })
  onTestFinished(() => one.stop())
  const other = await startService({ engine: 'sqlite', config })
  onTestFinished(() => other.stop())
  await ask(one, 'POST /api/memory/remember', { content: 'My main editor is Kestrel.', who })
  upstream.fail('silence')

  const replies = await Promise.all([trigger(one), trigger(other)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409])
  const passId = replies.find(({ status }) => status === 202)?.body['passId']
  await expect.poll(() => upstream.requests.length, pollOptions).toBeGreaterThan(0)
  expect((await trigger(other)).status).toBe(409)
  await ask(one, `POST /api/dream/passes/${passId}/cancel`, {})
  await ask(other, `POST /api/dream/passes/${passId}/cancel`, {})
  upstream.fail()
  expect(await waitForEnd(one, passId)).toMatchObject({ status: 'failed' })
  expect(await countEntities(one)).toBe(0)

  await expect.poll(async () => (await trigger(other)).status, pollOptions).toBe(202)
  await expect.poll(() => countEntities(one), pollOptions).toBe(1)
  await ask(one, 'POST /api/memory/remember', { content: 'My main shell is Fish.', who })
  const preview = await ask(one, 'POST /api/dream/trigger', { dryRun: true })
  await waitForEnd(one, preview.body['passId'])
  const apply = `POST /api/dream/passes/${preview.body['passId']}/apply`
  const decisions = await Promise.all([ask(one, apply, {}), ask(other, apply, {})])
  expect(decisions.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await countClaims(one)).toBe(2)

  const { body } = await ask(one, 'GET /api/dream/passes')
  const applied = (body['items'] as readonly { readonly mutationsApplied: number }[]).filter(
    ({ mutationsApplied }) => mutationsApplied > 0,
  )
  expect(applied).toHaveLength(2)
})

test('a daemon killed at any step of a pass has applied all of its plan or nothing', async () => {
  const service = await startService({ config: { memory } })
  onTestFinished(() => service.stop())
  const statements = 30
  const rounds = sampleRounds(
    Array.from({ length: 24 }, (_, round) => round),
    2,
  )
  let expected = 0
  for (const round of rounds) {
    const letter = String.fromCharCode(97 + round)
    for (let number = 0; number < statements; number++) {
      const first = String.fromCharCode(65 + (number % 26))
      const name = `${first}lin Brandt${letter}${number < 26 ? '' : 'o'}`
      const content = `${name} lives in Porto.`
      await ask(service, 'POST /api/memory/remember', { content })
    }
    const { body: started } = await trigger(service)
    await pause(round * 40)
    await service.kill()
    await service.restart()

    const ended = await waitForEnd(service, started['passId'])
    if (ended.status === 'completed') expected += statements
    else expect(ended.error).toBe('The daemon stopped during this pass')
    expect(await countClaims(service)).toBe(expected)
    if (ended.status === 'completed') continue
    const { body: next } = await trigger(service)
    expect(await waitForEnd(service, next['passId'])).toMatchObject({
      status: 'completed',
      mutationsApplied: statements,
    })
    expected += statements
    expect(await countClaims(service)).toBe(expected)
  }
})
