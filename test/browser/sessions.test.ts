import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

// The queries of prompts are recorded, so that their places in a transcript are known.
const telemetry = { memorySearchQaEnabled: true }
const service = await startService({ mode: 'local', config: { telemetry } })
afterAll(() => service.stop())

const send = (operation: string, body: object) => service.ask(operation, { agent: 'default', body })

test('reads a session with what came into view, and finds it by its words', async () => {
  await send('POST /api/memory/remember', { content: 'The egret feeds at the weir.' })
  const hook = { harness: 'codex', sessionKey: 'egret-1', project: '/birds' }
  await send('POST /api/hooks/session-start', hook)
  await send('POST /api/hooks/user-prompt-submit', { ...hook, userMessage: 'where is the egret?' })
  const transcript = 'User: where does the egret feed?\nAssistant: At the weir.'
  await send('POST /api/hooks/session-end', { ...hook, transcript })
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/sessions` })
  await page.getByRole('list', { name: 'Sessions' }).getByRole('link', { name: 'egret-1' }).click()

  await page.getByRole('article', { name: 'User' }).getByText('where does the egret').waitFor()
  await page.getByRole('article', { name: 'Assistant' }).getByText('At the weir.').waitFor()
  await page.getByRole('link', { name: 'The egret feeds at the weir.' }).first().waitFor()
  await page.getByRole('link', { name: 'Black box' }).click()
  const slider = page.getByRole('slider', { name: 'Time line' })
  await slider.press('Home')
  await page.getByText(/^1 of \d+$/).waitFor()
  await page.getByText('A memory came into view').first().waitFor()
  await page.getByRole('link', { name: 'Summary' }).click()
  await page.getByText('was captured').waitFor()

  await page.goto(`${service.url}/ui/sessions`)
  await page.getByRole('searchbox', { name: 'Search transcripts' }).fill('egret feed')
  await page.locator('mark').first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('marks the turns that recalled memories, each with its link', async () => {
  await send('POST /api/memory/remember', { content: 'The bittern booms at dusk.' })
  const slot = { entity: 'Bittern Marsh', aspect: 'birds', group_key: 'any', claim_key: 'bittern' }
  for (const [operation, payload] of [
    ['create_entity', { name: 'Bittern Marsh', type: 'place' }],
    ['add_claim_value', { ...slot, value: 'The bittern of Bittern Marsh is shy.' }],
  ])
    await send('POST /api/ontology/operations/apply', { operation, payload })
  const hook = { harness: 'codex', sessionKey: 'bittern-1', project: '/birds' }
  await send('POST /api/hooks/session-start', hook)
  const question = 'which birds are at Bittern Marsh?'
  await send('POST /api/hooks/user-prompt-submit', { ...hook, userMessage: question })
  const transcript = `User: hello\nAssistant: Hello.\nUser: ${question}\nAssistant: It is shy.`
  await send('POST /api/hooks/session-end', { ...hook, transcript })
  // A job writes the file.
  const readKinds = async () => {
    const reply = await service.ask('GET /api/sessions/bittern-1/blackbox', { agent: 'default' })
    return (reply.body['events'] as readonly { readonly kind: string }[]).map(({ kind }) => kind)
  }
  await expect.poll(readKinds).toContain('artifact.written')
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/sessions/bittern-1` })
  const start = page.getByRole('complementary', { name: 'Added at the start' })
  await start.getByRole('link', { name: 'The bittern booms at dusk.' }).waitFor()

  const order = await page
    .getByRole('region', { name: 'Transcript' })
    .locator('article, aside')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('aria-label')))
  expect(order[0]).toBe('Added at the start')
  expect(order.slice(1)).toEqual([
    'User',
    'Assistant',
    'User',
    'Found for this prompt',
    'Assistant',
  ])
  const words = page.getByRole('complementary', { name: 'Found for this prompt' })
  await words.getByText('The bittern of Bittern Marsh is shy.').waitFor()
  await page.getByRole('link', { name: 'Black box' }).click()
  await page.getByText('A file was written').first().waitFor()
  const inView = page.locator('section').filter({ hasText: 'Memories in view' })
  const rows = inView.getByRole('listitem')
  expect(await rows.count()).toBeGreaterThan(0)
  expect(await rows.count()).toBe(await inView.getByRole('link').count())
  expect(faults).toEqual([])
  await close()
})

test('bypasses an open session', async () => {
  await send('POST /api/hooks/session-start', { harness: 'codex', sessionKey: 'egret-2' })
  const url = `${service.url}/ui/sessions/egret-2/blackbox`
  const { page, faults, close } = await openPage({ url })
  const bypass = page.getByRole('switch', { name: 'Bypass' })
  await bypass.click()
  await expect.poll(() => bypass.getAttribute('aria-checked')).toBe('true')

  const { body } = await service.ask('GET /api/sessions', { agent: 'default' })
  expect(body['sessions']).toMatchObject([{ key: 'egret-2', bypassed: true }])
  expect(faults).toEqual([])
  await close()
})

test('the black box shows what happens while it is open', async () => {
  await send('POST /api/memory/remember', { content: 'The egret hunts in the reeds.' })
  const hook = { harness: 'codex', sessionKey: 'egret-3', project: '/birds' }
  await send('POST /api/hooks/session-start', hook)
  const { page, faults, close } = await openPage({
    url: `${service.url}/ui/sessions/egret-3/blackbox`,
  })
  const moment = page.getByRole('slider', { name: 'Time line' })
  await moment.waitFor()
  const before = Number(await moment.inputValue())

  await send('POST /api/hooks/session-end', { ...hook, transcript: 'User: hello' })
  await page.getByText('A file was written').first().waitFor()

  expect(Number(await moment.inputValue())).toBeGreaterThan(before)
  await moment.fill('0')
  await page.waitForResponse((reply) => reply.url().endsWith('/blackbox'))
  expect(await moment.inputValue()).toBe('0')
  expect(faults).toEqual([])
  await close()
})
