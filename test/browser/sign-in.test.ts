import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

const service = await startService({ mode: 'team' })
afterAll(() => service.stop())

const signIn = async (page: Page, token: string) => {
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('refuses a wrong token, keeps a draft over the end of a sign-in, and signs out', async () => {
  const { page, close } = await openPage({ url: `${service.url}/ui/memories` })
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page, 'no-token')
  const refusal = page.getByRole('alert').getByText('The token was refused.')
  await refusal.waitFor()
  // The text has the width of its box, not that of an icon.
  expect((await refusal.boundingBox())?.height).toBeLessThan(60)
  await signIn(page, service.tokenFor('admin'))
  await page.getByRole('button', { name: 'Remember something' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Remember' })
  await dialog.getByRole('textbox', { name: 'Text' }).fill('The kettle is on the left shelf.')

  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Remember' }).click()
  const again = page.getByRole('dialog', { name: 'Sign in' })
  await again.waitFor()
  expect(await dialog.getByRole('textbox', { name: 'Text' }).inputValue()).toContain('kettle')
  await signIn(page, service.tokenFor('admin'))
  await page.getByRole('region', { name: 'Memory', exact: true }).getByText('kettle').waitFor()

  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).toBe('{}')
  await page.goto(`${service.url}/ui/settings`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await close()
})

test('takes a sign-in code once, and out of the address', async () => {
  const { body } = await service.ask('POST /api/auth/handoff', { role: 'admin', body: {} })
  const url = `${service.url}/#code=${String(body['code'])}`
  const { page, close } = await openPage({ url })
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
  expect(page.url()).not.toContain('code')
  await close()

  const second = await openPage({ url })
  await second.page.getByText('The sign-in link was used or is too old.').waitFor()
  await second.close()
})
