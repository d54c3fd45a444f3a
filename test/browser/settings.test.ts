import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

const service = await startService({ mode: 'local' })
afterAll(() => service.stop())

test('checks a setting while it is typed, and saves it after its difference', async () => {
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/settings` })
  const review = page.getByRole('button', { name: 'Review changes' })
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('git.sync')
  const field = page.getByLabel('git.syncInterval', { exact: true })
  await field.fill('many')
  await page.getByRole('alert').first().waitFor()
  await field.fill('31')
  await page.getByRole('alert').first().waitFor({ state: 'hidden' })
  await review.click()
  const dialog = page.getByRole('dialog', { name: 'Changes' })
  await dialog.locator('ins').getByText('31', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })

  expect(await readFile(join(service.workspace, 'agent.yaml'), 'utf8')).toMatch(
    /syncInterval: 31\b/,
  )
  await expect.poll(() => review.isDisabled()).toBe(true)
  expect(faults).toEqual([])
  await close()
})
