import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '../support/load.ts'
import { type Service, startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

// The server takes some seconds to start, so these tests run in the long form.
const started: { service?: Service } = {}
beforeAll(async () => {
  if (isLong) started.service = await startService({ mode: 'team', engine: 'postgres' })
})
afterAll(() => started.service?.stop())

test.skipIf(!isLong)('signs in, remembers, searches, edits and forgets on PostgreSQL', async () => {
  const { service } = started
  if (!service) throw new Error('no service')
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/memories` })
  await page.getByLabel('Token', { exact: true }).fill(service.tokenFor('admin'))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const memory = page.getByRole('region', { name: 'Memory', exact: true })
  await button('Remember something').first().click()
  const remember = page.getByRole('dialog', { name: 'Remember' })
  await remember.getByRole('textbox', { name: 'Text' }).fill('The dipper nests under the bridge.')
  await remember.getByRole('button', { name: 'Remember' }).click()
  await memory.getByText('The dipper nests').first().waitFor()

  await page.getByRole('searchbox', { name: 'Search memories' }).fill('dipper bridge')
  await page.getByText('matched words').first().waitFor()
  await page.getByRole('status').filter({ hasText: '1 of 1' }).waitFor()
  await button('Edit').click()
  const edit = page.getByRole('dialog', { name: 'Edit memory' })
  await edit.getByRole('textbox', { name: 'Tags' }).fill('birds')
  await edit.getByRole('textbox', { name: 'Reason' }).fill('it is a bird')
  await edit.getByRole('button', { name: 'Save' }).click()
  await memory.getByText('birds', { exact: true }).first().waitFor()
  await button('Correct').click()
  const correct = page.getByRole('dialog', { name: 'Correct memory' })
  await correct.getByRole('textbox', { name: 'Text' }).fill('The dipper nests under the weir.')
  await correct.getByRole('textbox', { name: 'Reason' }).fill('seen today')
  await correct.getByRole('button', { name: 'Save' }).click()
  await memory.locator('ins').getByText('under the weir').waitFor()
  await button('Forget…').click()
  const forget = page.getByRole('dialog', { name: /^Forget/ })
  await forget.getByRole('textbox', { name: 'Reason' }).fill('no longer needed')
  await forget.getByRole('button', { name: 'Forget', exact: true }).click()
  await forget.waitFor({ state: 'hidden' })
  await page.getByRole('status', { name: 'Live' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()

  // The sign-in first sends a request without a session, which the browser reports.
  expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
  await close()
})
