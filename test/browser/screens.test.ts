import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong, sampleRounds } from '../support/load.ts'
import { startService } from '../support/start-service.ts'
import { findEnglish } from './find-english.ts'
import { findViolations, openPage, waitUntilLoaded } from './open-page.ts'
import { displays, paths } from './paths.ts'
import { listDetails, seed } from './seed.ts'

const service = await startService({ mode: 'local' })
beforeAll(() => seed(service))
afterAll(() => service.stop())

test.each(sampleRounds(paths, 5))('shows %s without a fault', async (path) => {
  const at = paths.indexOf(path) % displays.length
  const shown = isLong ? displays : displays.slice(at, at + 1)
  for (const { theme, width } of shown) {
    const { page, faults, close } = await openPage({ url: service.url + path, theme, width })
    await waitUntilLoaded(page)

    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.title()).toMatch(/ · Reverie$/)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    expect(await findViolations(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  }
})

test('shows details without a fault', async () => {
  for (const [index, path] of sampleRounds(await listDetails(service), 3).entries()) {
    const shown = isLong ? displays : displays.slice(index % 2, (index % 2) + 1)
    for (const { theme, width } of shown) {
      const { page, faults, close } = await openPage({ url: service.url + path, theme, width })
      await waitUntilLoaded(page)

      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      expect(await findViolations(page)).toEqual([])
      expect(faults).toEqual([])
      await close()
    }
  }
})

test.each(sampleRounds(paths, 3))('shows no English sentence in Chinese on %s', async (path) => {
  const { page, faults, close } = await openPage({ url: service.url + path, locale: 'zh-CN' })
  await waitUntilLoaded(page)

  expect(await page.locator('html').getAttribute('lang')).toBe('zh')
  expect(await findEnglish(page)).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('says so at an address without a screen', async () => {
  const { page, close } = await openPage({ url: `${service.url}/ui/no-such-screen` })

  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  expect(await page.getByRole('link', { name: 'Memories' }).count()).toBeGreaterThan(0)
  await close()
})

test('shows what is not available, and sends no request for it', async () => {
  const url = `${service.url}/ui/memories`
  const { page, requests, close } = await openPage({ url, operations: ['diagnostics.health'] })

  await page.getByRole('heading', { level: 2, name: 'Not available' }).first().waitFor()
  expect(requests.filter((path) => path === '/api/memories')).toEqual([])
  await close()
})

test.each([403, 500])('shows a reply of %s with a way to try again', async (status) => {
  const { page, close } = await openPage({ url: `${service.url}/ui/sessions` })
  await page.route('**/api/sessions', (route) =>
    route.fulfill({ status, json: { error: 'it broke', code: 'broken' } }),
  )
  await page.reload()

  const alert = page.getByRole('alert')
  await alert.getByText('it broke').waitFor()
  await page.unroute('**/api/sessions')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('list', { name: 'Sessions' }).waitFor()
  await close()
})

test('retries by itself after the delay that the service names', async () => {
  const { page, close } = await openPage({ url: `${service.url}/ui/no-such-screen` })
  const reply = { status: 429, headers: { 'retry-after': '2' }, json: { error: 'slow down' } }
  await page.route('**/api/sessions', (route) => route.fulfill(reply), { times: 1 })
  await page.goto(`${service.url}/ui/sessions`)

  const button = page.getByRole('alert').getByRole('button', { name: /^Try again in [12] s$/ })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  await page.getByRole('list', { name: 'Sessions' }).waitFor()
  await close()
})

test('shows a reply of another shape as a fault of its panel', async () => {
  const { page, close } = await openPage({ url: `${service.url}/ui/sessions` })
  await page.route('**/api/sessions', (route) => route.fulfill({ json: { unexpected: true } }))
  await page.reload()

  await page.getByRole('alert').getByText('another shape').waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBeGreaterThan(0)
  await close()
})
