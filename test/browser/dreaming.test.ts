import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

const dreaming = { enabled: true, tickMs: 3_600_000 }
const service = await startService({ mode: 'local', config: { memory: { dreaming } } })
afterAll(() => service.stop())

const ask = (operation: string, body?: object) =>
  service.ask(operation, { agent: 'default', ...(body && { body }) })
const listStates = async (path: string) => {
  const { body } = await ask(path)
  return (body['operations'] as readonly { state: string }[]).map(({ state }) => state).toSorted()
}

test('reviews a plan quote by quote, applies a part of it, and undoes it as one', async () => {
  for (const content of ['My main editor is Kestrel.', 'My main browser is Vivaldi.'])
    await ask('POST /api/memory/remember', { content, who: 'Ines Calloway' })
  const { body } = await ask('POST /api/dream/trigger', { dryRun: true })
  const path = `GET /api/dream/passes/${body['passId']}`
  const readPass = async () => Object((await ask(path)).body['pass'])
  await expect.poll(async () => (await readPass()).status).toBe('completed')

  const { page, faults, close } = await openPage({ url: `${service.url}/ui/dreaming` })
  await page.getByText('My main browser is Vivaldi.').first().waitFor()
  await page.getByText('My main editor is Kestrel.').first().waitFor()
  const changes = await page.getByRole('checkbox').count()
  await page.getByRole('checkbox').first().uncheck()
  await page.getByText(`${changes - 1} of ${changes} chosen.`).waitFor()
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByText('Applied.').waitFor()
  expect((await listStates(path)).filter((state) => state === 'applied')).toHaveLength(changes - 1)

  await page.getByRole('region', { name: 'Pass' }).getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take this pass back?' })
  await dialog.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('status', { name: 'Live' }).getByText('Taken back.').waitFor()
  expect(await listStates(path)).not.toContain('applied')
  expect(faults).toEqual([])
  await close()
})
