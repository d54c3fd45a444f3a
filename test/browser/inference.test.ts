import { afterAll, expect, test } from 'vitest'
import { startModelUpstream } from '../support/model-upstream.ts'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

const upstream = await startModelUpstream()
const target = { executor: 'openai-compatible', models: { m: { model: 'model-a' } } }
const service = await startService({
  mode: 'local',
  config: {
    inference: {
      targets: { near: { ...target, endpoint: `${upstream.url}/v1` } },
      policies: { auto: { mode: 'strict', defaultTargets: ['near/m'] } },
      budgets: { daily: { maxTokens: 100_000 } },
    },
  },
})
afterAll(async () => {
  await service.stop()
  await upstream.stop()
})

test('explains which model a request would get, without calling it', async () => {
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/inference` })
  await page.getByRole('button', { name: 'Explain' }).click()
  const decision = page.getByRole('region', { name: 'Chosen model' })
  await decision.getByText('near/m').first().waitFor()
  await decision.getByText('by the policy').waitFor()

  const { body } = await service.ask('GET /api/inference/usage')
  expect(body['totals']).toMatchObject({ calls: 0 })
  expect(faults).toEqual([])
  await close()
})

test('follows a login step by step, and opens its address only through a question', async () => {
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/inference` })
  const steps = [
    { type: 'session', sessionId: 's' },
    { type: 'device_code', userCode: 'ABCD-1234', verificationUri: 'https://login.example/device' },
    { type: 'auth', url: 'javascript:globalThis.broken=1', instructions: '<b>Sign in</b>' },
    { type: 'manual_code', responseId: 'r', message: 'Paste the code' },
  ]
  const body = steps.map((step) => `data: ${JSON.stringify(step)}\n\n`).join('')
  await page.route('**/api/inference/oauth/login/*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body }),
  )
  await page.route('**/api/inference/oauth/complete', (route) => route.fulfill({ json: {} }))
  await page.getByRole('button', { name: 'Sign in' }).first().click()
  const dialog = page.getByRole('dialog', { name: /^Sign in at/ })
  await dialog.getByText('ABCD-1234').waitFor()
  await dialog.getByText('javascript:globalThis.broken=1').waitFor()
  await dialog.getByText('<b>Sign in</b>').waitFor()

  expect(await dialog.getByRole('button', { name: 'Open link' }).count()).toBe(1)
  await dialog.getByRole('button', { name: 'Open link' }).click()
  const question = page.getByRole('dialog', { name: 'Open this address?' })
  await question.getByText('login.example', { exact: true }).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  const answer = page.waitForRequest('**/api/inference/oauth/complete')
  await dialog.getByLabel(/^Code/).fill('1234')
  await dialog.getByRole('button', { name: 'Send' }).click()
  expect((await answer).postDataJSON()).toMatchObject({ sessionId: 's', value: '1234' })
  expect(await page.evaluate('globalThis.broken')).toBeUndefined()
  expect(faults).toEqual([])
  await close()
})

test('shows each call with the reason for its model, and what is left of a budget', async () => {
  const body = { operation: 'interactive', prompt: 'Where is the ladder?' }
  const reply = await service.ask('POST /api/inference/execute', { agent: 'default', body })
  expect(reply.status).toBe(200)
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/inference` })
  const budgets = page.getByRole('region', { name: 'Budgets' })
  await budgets.getByText('daily').waitFor()
  await budgets.getByText('15 of 100,000 tokens').waitFor()
  const calls = page.getByRole('list', { name: 'Decisions' })
  await calls.getByRole('link', { name: 'interactive' }).click()

  await page.getByRole('heading', { level: 1, name: 'interactive' }).waitFor()
  await page.getByText('succeeded').waitFor()
  await page.getByText('1 of 1').waitFor()
  expect(await page.getByText('near/m').count()).toBeGreaterThan(1)
  await page.goto(`${service.url}/ui/inference/history/none`)
  await page.getByRole('heading', { level: 2, name: 'Call not found' }).waitFor()
  expect(faults).toEqual([])
  await close()
})
