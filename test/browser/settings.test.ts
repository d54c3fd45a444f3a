import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { isLong } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { canMount, onFullDisk } from '../support/small-disk.ts'
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

test.skipIf(!isLong || !canMount())('a full disk keeps the file and what was typed', async () => {
  const workspace = await makeFolder()
  // The database exists before the disk is full.
  const before = await startService({ mode: 'local', workspace, engine: 'sqlite' })
  await before.stop()
  const limit = onFullDisk(160)
  const full = await startService({ mode: 'local', workspace, engine: 'sqlite', limit })
  onTestFinished(() => full.stop())
  const file = `/proc/${full.pid}/root${join(workspace, 'agent.yaml')}`
  const text = await readFile(file, 'utf8')
  for (let count = 0; count < 2000; count++) {
    const body = { content: `${count} ${'filler '.repeat(500)}` }
    if ((await full.ask('POST /api/memory/remember', { body })).status === 503) break
  }
  const { page, close } = await openPage({ url: `${full.url}/ui/settings` })
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('git.sync')
  const field = page.getByLabel('git.syncInterval', { exact: true })
  await field.fill('31')
  await page.getByRole('button', { name: 'Review changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Changes' })
  await dialog.getByRole('button', { name: 'Save' }).click()

  await dialog
    .getByRole('alert')
    .getByText(/disk is full/i)
    .waitFor()
  await dialog.getByText('storage_full').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await field.inputValue()).toBe('31')
  expect(await readFile(file, 'utf8')).toBe(text)
  await close()
})
