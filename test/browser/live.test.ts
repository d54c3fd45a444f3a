import { createServer } from 'node:net'
import type { Page, Request, Route } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { isLong } from '../support/load.ts'
import { startService } from '../support/start-service.ts'
import { openPage, waitUntilLoaded } from './open-page.ts'

// The page finds the service again at the same port.
const port = await findFreePort()
const service = await startService({ mode: 'local', env: { SVC_PORT: String(port) } })
afterAll(() => service.stop())

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return Object(address).port
}

const remember = (content: string) =>
  service.ask('POST /api/memory/remember', { agent: 'default', body: { content } })
const isStream = (url: string) => new URL(url).pathname === '/api/events'
/** Counts the streams that begin from now on. */
const countStreams = (page: Page) => {
  const all = new Set<Request>()
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (isStream(request.url())) for (const set of [all, open]) set.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return {
    get started() {
      return all.size
    },
    get open() {
      return open.size
    },
  }
}
const openTab = async (page: Page) => {
  const tab = await page.context().newPage()
  const streams = countStreams(tab)
  await tab.goto(`${service.url}/ui/memories`)
  await waitUntilLoaded(tab)
  return { tab, streams }
}
const offer = (page: Page) => page.getByRole('button', { name: /new memor/ })

test('two tabs hold one stream, and the next tab takes it over', async () => {
  const { page: blank, close } = await openPage({
    url: `${service.url}/ui/settings`,
    ownContext: true,
  })
  await blank.goto('about:blank')
  const first = await openTab(blank)
  await expect.poll(() => first.streams.open).toBe(1)
  const second = await openTab(blank)

  await remember('The first heron of the year.')
  await offer(first.tab).waitFor()
  await offer(second.tab).waitFor()
  expect(second.streams.started).toBe(0)

  await first.tab.close()
  await expect.poll(() => second.streams.open).toBe(1)
  await remember('The second heron of the year.')
  await second.tab.getByRole('button', { name: '2 new memories' }).waitFor()
  await close()
})

test.skipIf(!isLong)('a hidden tab leaves the stream to a visible one after a minute', async () => {
  const { page: blank, close } = await openPage({
    url: `${service.url}/ui/settings`,
    ownContext: true,
  })
  await blank.goto('about:blank')
  await blank.context().clock.install()
  const first = await openTab(blank)
  await expect.poll(() => first.streams.open).toBe(1)
  const second = await openTab(blank)
  await first.tab.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
  await first.tab.clock.fastForward(61_000)

  await expect.poll(() => [first.streams.open, second.streams.open]).toEqual([0, 1])
  await close()
})

test('10,000 events in a burst are counted, and read again once', async () => {
  const { page, faults, close } = await openPage({
    url: `${service.url}/ui/settings`,
    ownContext: true,
  })
  // The stream of this page must not take the reply of the next one.
  await page.goto('about:blank')
  const body = Array.from(
    { length: 10_000 },
    (_, id) => `id: ${id}\ndata: {"type":"memory.saved","id":"m${id}"}\n\n`,
  ).join('')
  const isShown = Promise.withResolvers<void>()
  const burst = async (route: Route) => {
    await isShown.promise
    await route.fulfill({ body, contentType: 'text/event-stream' })
  }
  await page.route('**/api/events', burst, { times: 1 })
  const reads: string[] = []
  await page.goto(`${service.url}/ui/memories`)
  await waitUntilLoaded(page)
  page.on('request', (request) => reads.push(new URL(request.url()).pathname))
  isShown.resolve()

  await page.getByRole('button', { name: '10,000 new memories' }).waitFor()
  await page.waitForTimeout(1500)
  const counts = Map.groupBy(reads, (path) => path)
  for (const [path, calls] of counts) expect([path, calls.length <= 2]).toEqual([path, true])
  expect(faults).toEqual([])
  await close()
})

test('a lost service is announced, loses nothing typed, and is found again', async () => {
  const { page, close } = await openPage({ url: `${service.url}/ui/memories`, ownContext: true })
  const streams = countStreams(page)
  await page.clock.install()
  await page.reload()
  await waitUntilLoaded(page)
  await page.getByRole('button', { name: 'Remember something' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Remember' })
  const text = dialog.getByRole('textbox', { name: 'Text' })
  await text.fill('The kettle is on the left shelf.')
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/remember')) writes.push(request.method())
  })

  await service.kill()
  await page.clock.fastForward(5000)
  await page
    .getByRole('alert')
    .filter({ hasText: /^Offline: what you see is of / })
    .waitFor()
  await dialog.getByRole('button', { name: 'Remember' }).click()
  await dialog.getByRole('alert').getByText('The service does not answer').waitFor()
  expect(await text.inputValue()).toBe('The kettle is on the left shelf.')

  await service.restart()
  // After three failures the stream is tried each 30 s.
  await page.clock.fastForward(30_000)
  await page.getByText(/^Offline/).waitFor({ state: 'hidden' })
  expect(writes).toEqual(['POST'])
  await dialog.getByRole('button', { name: 'Remember' }).click()
  await page.getByRole('region', { name: 'Memory', exact: true }).getByText('kettle').waitFor()
  await expect.poll(() => streams.open).toBe(1)
  await close()
})

test.skipIf(!isLong)('a screen that cannot be loaded does not lose the page', async () => {
  const { page, close } = await openPage({ url: `${service.url}/ui/memories`, ownContext: true })
  await waitUntilLoaded(page)
  await page.route(/\/ui\/assets\/agents-/, (route) => route.abort())
  await page.route(`${service.url}/`, (route) => route.abort())
  await page.getByRole('link', { name: 'Agents and tokens' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'A part of the page is missing' })
  await alert.waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBeGreaterThan(0)

  await page.unrouteAll()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Agents and tokens' }).waitFor()
  await close()
})

test('a file that an update removed causes one reload, then says so', async () => {
  const { page, close } = await openPage({ url: `${service.url}/ui/memories`, ownContext: true })
  await waitUntilLoaded(page)
  const loads: string[] = []
  page.on('load', () => loads.push(page.url()))
  await page.route(/\/ui\/assets\/agents-/, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Agents and tokens' }).click()

  await expect.poll(() => loads.length).toBe(1)
  await page.getByRole('alert').getByText('A part of the page is missing').waitFor()
  expect(loads).toHaveLength(1)
  await close()
})

test('a new version is offered, and what was typed stays until the reload', async () => {
  const { page, close } = await openPage({ url: `${service.url}/ui/memories`, ownContext: true })
  await page.clock.install()
  await page.reload()
  await waitUntilLoaded(page)
  await page.route(`${service.url}/`, async (route) => {
    const reply = await route.fetch()
    await route.fulfill({
      response: reply,
      headers: { ...reply.headers(), 'x-svc-dashboard': 'next' },
    })
  })
  await page.route('**/health', (route) => route.abort())
  await page.clock.fastForward(5000)
  await page
    .getByRole('alert')
    .filter({ hasText: /^Offline/ })
    .waitFor()
  await page.unroute('**/health')
  await page.clock.fastForward(5000)

  const line = page.getByRole('alert').filter({ hasText: 'The service has a new version.' })
  await line.getByRole('button', { name: 'Reload' }).waitFor()
  await close()
})
