import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { isLong, sampleRounds } from '../support/load.ts'
import { startService } from '../support/start-service.ts'
import { findViolations, openPage, waitUntilLoaded } from './open-page.ts'
import { displays, paths } from './paths.ts'

// Nothing is remembered here: each screen is empty.
const service = await startService({ mode: 'local' })
afterAll(() => service.stop())

/** The screens and views; details have nothing to show here. */
const emptyPaths = paths.filter((path) => !/garden|greenhouse/.test(path))

/** Answers each read of data, but not who the caller is and whether the service lives. */
async function replyToReads(page: Page, answer: { status: number } | 'never'): Promise<void> {
  await page.route(/\/(?:api|memory)\//, async (route) => {
    if (new URL(route.request().url()).pathname === '/api/auth/session') await route.continue()
    else if (answer !== 'never')
      await route.fulfill({ ...answer, json: { error: 'it broke', code: 'broken' } })
  })
}

interface Display {
  readonly theme: 'light' | 'dark'
  readonly width: number
}

/** A state is as readable as the full screen. */
async function expectReadable(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  expect(await findViolations(page)).toEqual([])
}

test.each(sampleRounds(emptyPaths, 2))('shows the states of %s', async (path) => {
  for (const display of isLong ? displays : displays.slice(1, 2)) await showStates(path, display)
})

async function showStates(path: string, display: Display): Promise<void> {
  const url = service.url + path
  const { page, faults, close } = await openPage({ url, ...display })
  await waitUntilLoaded(page)
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(faults).toEqual([])
  await expectReadable(page)
  await close()

  const missing = await openPage({ url, ...display, operations: ['diagnostics.health'] })
  await missing.page.getByText('Not available', { exact: true }).first().waitFor()
  expect(missing.faults).toEqual([])
  await expectReadable(missing.page)
  // The health of the service and the version of its pages are no part that may be absent.
  const own = /^\/(health|api\/auth\/session|ui\/.*)?$/
  expect(missing.requests.filter((request) => !own.test(request))).toEqual([])
  await missing.close()

  const broken = await openPage({ url: `${service.url}/ui/no-screen`, ...display })
  await replyToReads(broken.page, { status: 403 })
  await broken.page.goto(url)
  await broken.page.getByRole('alert').getByText('it broke').first().waitFor()
  await broken.page.getByRole('button', { name: 'Try again' }).first().waitFor()
  await expectReadable(broken.page)
  await broken.page.unroute(/\/(?:api|memory)\//)
  await replyToReads(broken.page, { status: 500 })
  await broken.page.getByRole('button', { name: 'Try again' }).first().click()
  await broken.page.getByRole('heading', { name: 'This could not be read' }).first().waitFor()
  await broken.page.unroute(/\/(?:api|memory)\//)
  await replyToReads(broken.page, 'never')
  await broken.page.goto(url)
  await broken.page.locator('h1').waitFor()
  await broken.page.locator('[aria-busy=true]').first().waitFor()
  await broken.close()
}
