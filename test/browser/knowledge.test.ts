import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

const service = await startService({ mode: 'local' })
afterAll(() => service.stop())

const apply = async (operation: string, payload: object) => {
  const request = { agent: 'default', body: { operation, payload } }
  expect((await service.ask('POST /api/ontology/operations/apply', request)).status).toBeLessThan(
    300,
  )
}
const readNames = async () => {
  const { body } = await service.ask('GET /api/knowledge/navigation/entities', { agent: 'default' })
  const items = body['items'] as readonly { readonly entity: { readonly name: string } }[]
  return items.map(({ entity }) => entity.name).toSorted()
}

test('merges an entity after its effect was shown, and takes it back', async () => {
  await apply('create_entity', { name: 'Rowan Shed', type: 'place' })
  await apply('create_entity', { name: 'The Shed', type: 'place' })
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/knowledge/The%20Shed` })
  await page.getByRole('button', { name: 'Merge…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge into The Shed' })
  await dialog.getByRole('radio', { name: 'Rowan Shed' }).check()
  await dialog.getByRole('region', { name: 'What it would do' }).waitFor()
  expect(await readNames()).toEqual(['Rowan Shed', 'The Shed'])
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await readNames()).toEqual(['The Shed'])

  await page.getByRole('status', { name: 'Live' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()
  expect(await readNames()).toEqual(['Rowan Shed', 'The Shed'])
  expect(faults).toEqual([])
  await close()
})

test('shows statements that contradict each other side by side', async () => {
  const slot = { entity: 'The Shed', aspect: 'care', group_key: 'door', claim_key: 'lock' }
  await apply('add_claim_value', { ...slot, value: 'The shed opens with the brass key' })
  await apply('add_claim_value', { ...slot, value: 'The shed never opens with the brass key' })
  const { page, close } = await openPage({ url: `${service.url}/ui/knowledge/conflicts` })
  const list = page.getByRole('list', { name: 'Statements that contradict each other' })

  await list.getByText('The shed opens with the brass key').waitFor()
  await list.getByText('The shed never opens with the brass key').waitFor()
  await close()
})

test('decides by keyboard, moves to the next proposal, and takes it back', async () => {
  for (const name of ['Wren', 'Finch'])
    await service.ask('POST /api/ontology/proposals', {
      agent: 'default',
      body: { operation: 'create_entity', payload: { name, type: 'person' } },
    })
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/knowledge/proposals` })
  const rows = page.getByRole('list', { name: 'Proposals' }).getByRole('listitem')
  await rows.first().getByText('Finch · person').waitFor()
  expect(await page.getByRole('link', { name: 'Knowledge' }).first().textContent()).toContain('2')
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await page.getByText('Applied.').waitFor()
  expect(await readNames()).toContain('Finch')
  await page.getByRole('status', { name: 'Live' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()
  await rows.first().getByText('Wren · person').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  await page.getByText('Rejected.').waitFor()

  expect(await readNames()).not.toContain('Finch')
  expect(faults).toEqual([])
  await close()
})
