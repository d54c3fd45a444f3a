import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage, waitUntilLoaded } from './open-page.ts'

// A policy without its target is a finding of the diagnostics.
const policies = { auto: { mode: 'strict', defaultTargets: ['absent/m'] } }
const service = await startService({ mode: 'local', config: { inference: { policies } } })
afterAll(() => service.stop())

test('shows what a repair would do before it runs, and the run after it', async () => {
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/operations/repair` })
  const row = page.getByRole('listitem').filter({ hasText: 'Merge equal memories' })
  await row.getByRole('button', { name: 'Look…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge equal memories' })
  await dialog.getByRole('region', { name: 'What it would do' }).getByText('0 items').waitFor()
  const runs = async () => (await service.ask('GET /api/repair/runs')).body['runs']
  expect(await runs()).toEqual([])
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })

  expect(await runs()).toMatchObject([{ name: 'deduplicate', state: 'succeeded' }])
  const runsShown = page.getByRole('list', { name: 'Earlier repairs' })
  await runsShown.getByText('Merge equal memories').waitFor()
  expect(faults).toEqual([])
  await close()
})

test('shows the rows of a table and follows the log', async () => {
  const content = 'The ladder leans on the shed.'
  await service.ask('POST /api/memory/remember', { agent: 'default', body: { content } })
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/operations/database` })
  await page.getByRole('button', { name: 'Show rows memories', exact: true }).click()
  await page.getByRole('cell', { name: content, exact: true }).first().waitFor()

  await page.goto(`${service.url}/ui/operations/logs`)
  await waitUntilLoaded(page)
  const log = page.getByRole('log', { name: 'Logs' })
  await log.getByText('daemon ready').waitFor()
  await page.getByRole('combobox', { name: 'Level' }).selectOption('error')
  await log.getByText('daemon ready').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Pause' }).click()
  expect(await page.getByRole('button', { name: 'Pause' }).getAttribute('aria-pressed')).toBe(
    'true',
  )
  expect(faults).toEqual([])
  await close()
})

test('shows each finding first, with the command that mends it', async () => {
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/operations` })
  const rows = page.getByRole('list', { name: 'Domains' }).getByRole('listitem')
  await rows.first().getByText('reverie inference status').waitFor()

  expect(await rows.first().textContent()).toContain('inference')
  expect(await rows.count()).toBeGreaterThan(10)
  expect(faults).toEqual([])
  await close()
})

test('shows when a command last used a secret', async () => {
  for (const name of ['BEECH_KEY', 'BIRCH_KEY'])
    await service.ask(`POST /api/secrets/${name}`, { body: { value: 'synthetic' } })
  const body = { command: 'true', secrets: { KEY: 'local://BEECH_KEY' } }
  const { body: job } = await service.ask('POST /api/secrets/exec', { body })
  await expect
    .poll(async () => (await service.ask(`GET /api/secrets/exec/${job['id']}`)).body['status'])
    .toBe('completed')
  const { body: log } = await service.ask('GET /api/plugins/audit?event=secret.resolved_for_exec')
  const [use] = log['events'] as readonly { readonly timestamp: string }[]
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/secrets` })
  const rows = page.getByRole('list', { name: 'Secrets' }).getByRole('listitem')
  const lastUse = rows.filter({ hasText: 'BEECH_KEY' }).getByText('a command used it')

  expect(await lastUse.getByRole('time').getAttribute('datetime')).toBe(use?.timestamp)
  await rows.filter({ hasText: 'BIRCH_KEY' }).getByText('no recorded use by a command').waitFor()
  expect(faults).toEqual([])
  await close()
})
