import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

const service = await startService({ mode: 'local' })
afterAll(() => service.stop())

test('compares a memory with others as soon as it has a vector', async () => {
  for (const content of ['The newt winters under the log.', 'The newt winters under the stone.'])
    await service.ask('POST /api/memory/remember', { body: { content, project: 'newts' } })
  const { body } = await service.ask('GET /api/memories?project=newts')
  const { id = '' } = (body['memories'] as readonly { id?: string }[])[0] ?? {}
  await expect
    .poll(async () => (await service.ask(`GET /api/memory/${id}`)).body['embedding_model'])
    .toEqual(expect.any(String))
  const { page, faults, requests, close } = await openPage({ url: service.url })
  const vector = { isPending: true }
  await page.route('**/api/memory/*?include_deleted=true', async (route) => {
    const response = await route.fetch()
    const memory = await response.json()
    const json = vector.isPending ? { ...memory, embedding_model: null } : memory
    await route.fulfill({ response, json })
  })
  await page.goto(`${service.url}/ui/memories/${id}`)
  const memory = page.getByRole('region', { name: 'Memory', exact: true })
  await memory.getByText('has no vector,').waitFor()
  expect(requests).not.toContain('/memory/similar')

  vector.isPending = false
  await memory.getByRole('link', { name: /^The newt winters under the (log|stone)/ }).waitFor()
  expect(faults).toEqual([])
  await close()
})

test('asks for no similar memories of a memory that is being forgotten', async () => {
  const content = 'The toad crosses the lane.'
  const { body } = await service.ask('POST /api/memory/remember', { body: { content } })
  const { page, faults, close } = await openPage({ url: service.url })
  const isForgotten = Promise.withResolvers<void>()
  const isAsked = Promise.withResolvers<void>()
  await page.route('**/memory/similar?*', async (route) => {
    isAsked.resolve()
    await isForgotten.promise
    // The page no longer waits for the reply.
    await route.continue().catch(() => undefined)
  })
  await page.goto(`${service.url}/ui/memories/${String(body['id'])}`)
  await isAsked.promise

  await page.getByRole('button', { name: 'Forget…', exact: true }).click()
  const forget = page.getByRole('dialog', { name: /^Forget/ })
  await forget.getByRole('textbox', { name: 'Reason' }).fill('it left')
  await forget.getByRole('button', { name: 'Forget', exact: true }).click()
  await forget.waitFor({ state: 'hidden' })
  isForgotten.resolve()
  await page.getByRole('button', { name: 'Recover' }).click()

  const none = page.getByText('No memory has a similar meaning.')
  await none.or(page.locator('ul.similar')).waitFor()
  expect(faults).toEqual([])
  await close()
})
