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

test('splits an entity by its aspects after its effect was shown', async () => {
  await apply('create_entity', { name: 'Alder Mill', type: 'place' })
  for (const [aspect, value] of [
    ['wheel', 'The wheel is of oak'],
    ['bakery', 'The bakery opens at six'],
  ])
    await apply('add_claim_value', {
      entity: 'Alder Mill',
      aspect,
      group_key: 'general',
      claim_key: aspect,
      value,
    })
  const url = `${service.url}/ui/knowledge/Alder%20Mill`
  const { page, faults, close } = await openPage({ url })
  await page.getByRole('button', { name: 'Split…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Split Alder Mill' })
  await dialog.getByRole('checkbox', { name: 'bakery' }).check()
  await dialog.getByRole('textbox', { name: 'Name of the new entity' }).fill('Alder Bakery')
  await dialog.getByRole('region', { name: 'What it would do' }).waitFor()
  expect(await readNames()).not.toContain('Alder Bakery')
  await dialog.getByRole('button', { name: 'Split', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })

  const { body } = await service.ask('GET /api/knowledge/navigation/tree?entity=Alder%20Bakery', {
    agent: 'default',
  })
  expect(JSON.stringify(body)).toContain('The bakery opens at six')
  await page.getByRole('status', { name: 'Live' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()
  expect(await readNames()).not.toContain('Alder Bakery')
  expect(faults).toEqual([])
  await close()
})

test('zooms the graph, and a node leads to its entity', async () => {
  for (const name of ['North Pier', 'South Pier'])
    await apply('create_entity', { name, type: 'place' })
  const link = { source_entity: 'North Pier', target_entity: 'South Pier', link_type: 'contains' }
  await apply('create_link', link)
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/knowledge/graph` })
  const graph = page.getByRole('img', { name: /entities with/ })
  await graph.waitFor()
  const seen = () => graph.getAttribute('viewBox')
  const whole = await seen()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(seen).not.toBe(whole)
  await page.getByRole('button', { name: 'Whole graph' }).click()
  await expect.poll(seen).toBe(whole)

  await graph.getByText('North Pier').click()
  await page.getByRole('heading', { level: 1, name: 'North Pier' }).waitFor()
  expect(faults).toEqual([])
  await close()
})
