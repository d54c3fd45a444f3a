import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

const service = await startService({ mode: 'local' })
afterAll(() => service.stop())

test('remembers, edits, corrects, forgets and recovers a memory', async () => {
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/memories` })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const live = page.getByRole('status', { name: 'Live' })
  const memory = page.getByRole('region', { name: 'Memory', exact: true })

  await button('Remember something').first().click()
  const remember = page.getByRole('dialog', { name: 'Remember' })
  await remember.getByRole('textbox', { name: 'Text' }).fill('The heron nests at the pond.')
  await remember.getByRole('textbox', { name: 'Tags' }).fill('birds')
  await remember.getByRole('button', { name: 'Remember' }).click()
  await memory.getByText('The heron nests').first().waitFor()

  await button('Edit').click()
  const edit = page.getByRole('dialog', { name: 'Edit memory' })
  await edit.getByRole('textbox', { name: 'Tags' }).fill('birds, water')
  await edit.getByRole('spinbutton', { name: 'Importance' }).fill('0.9')
  await edit.getByRole('textbox', { name: 'Reason' }).fill('it lives near water')
  await edit.getByRole('button', { name: 'Save' }).click()
  await memory.getByText('water', { exact: true }).first().waitFor()

  await button('Correct').click()
  const correct = page.getByRole('dialog', { name: 'Correct memory' })
  await correct.getByRole('textbox', { name: 'Text' }).fill('The heron nests at the lake.')
  await correct.getByRole('textbox', { name: 'Reason' }).fill('seen today')
  await correct.getByRole('button', { name: 'Save' }).click()
  await memory.locator('ins').getByText('at the lake').waitFor()
  await memory.locator('del').getByText('at the pond').waitFor()

  await button('Forget…').click()
  const forget = page.getByRole('dialog', { name: /^Forget/ })
  await forget.getByRole('textbox', { name: 'Reason' }).fill('no longer needed')
  await forget.getByRole('button', { name: 'Forget', exact: true }).click()
  await forget.waitFor({ state: 'hidden' })
  await live.getByRole('button', { name: 'Undo' }).click()
  await live.getByText('Taken back.').waitFor()

  expect(faults).toEqual([])
  const { body } = await service.ask('GET /api/memories', { agent: 'default' })
  expect(body['memories']).toMatchObject([{ content: 'The heron nests at the lake.' }])
  await close()
})

test('shows both sides when somebody else changed the memory meanwhile', async () => {
  const content = 'The owl sleeps in the barn.'
  const { body } = await service.ask('POST /api/memory/remember', { body: { content } })
  const id = String(body['id'])
  const { page, close } = await openPage({ url: `${service.url}/ui/memories/${id}` })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit memory' })
  await edit.getByRole('textbox', { name: 'Tags' }).fill('mine')
  await edit.getByRole('textbox', { name: 'Reason' }).fill('my reason')
  const change = { tags: ['theirs'], reason: 'their reason' }
  await service.ask(`PATCH /api/memory/${id}`, { body: change })

  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.getByText('Theirs: theirs').waitFor()
  await edit.getByRole('button', { name: 'Keep mine' }).click()
  await edit.waitFor({ state: 'hidden' })

  const { body: saved } = await service.ask(`GET /api/memory/${id}`)
  expect(saved['tags']).toBe('mine')
  await close()
})

test('shows the beginning of a memory of almost 1 MB, and all of it as plain text', async () => {
  const content = `${'word '.repeat(180_000)}END`
  const { body, status } = await service.ask('POST /api/memory/remember', { body: { content } })
  expect(status).toBe(200)
  const { page, faults, close } = await openPage({
    url: `${service.url}/ui/memories/${String(body['id'])}`,
  })
  const memory = page.getByRole('region', { name: 'Memory', exact: true })
  const showAll = memory.getByRole('button', { name: /^Show all/ }).first()
  await showAll.waitFor()
  expect((await memory.textContent())?.length).toBeLessThan(100_000)

  await showAll.click()
  await memory.getByText(/END$/).first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('is used by keyboard alone', async () => {
  const { page, close } = await openPage({ url: service.url })
  await page.locator('h1').waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('sessions')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const key of ['Ctrl K', '/', '?', 'g', 'j', 'k', 'Enter', 'e', 'c', '#', 'x', 'a', 'r'])
    await keys.getByRole('term').getByText(key, { exact: true }).waitFor()
  expect(await keys.getByRole('definition').allTextContents()).not.toContain('')
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor()
  await page.keyboard.press('/')

  const focused = 'document.activeElement.type'
  expect(await page.evaluate(focused)).toBe('search')
  await close()
})

test('shows the memory of another agent, chosen at the top or in the palette', async () => {
  await service.ask('POST /api/agents', { body: { name: 'wren', read_policy: 'isolated' } })
  const body = { content: 'The wren hides in the ivy.' }
  await service.ask('POST /api/memory/remember', { agent: 'wren', body })
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/memories` })
  const list = page.getByRole('list', { name: 'Memories' })
  await list.waitFor()
  const rows = list.getByRole('listitem')
  expect(await rows.count()).toBeGreaterThan(1)
  await page.getByRole('button', { name: 'Agent: default' }).click()
  await page.getByRole('option', { name: /^Agent: wren/ }).click()
  // An isolated agent reads its own memory alone.
  await expect.poll(() => rows.count()).toBe(1)
  await list.getByText('The wren hides in the ivy.').waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('Agent: def')
  await page.keyboard.press('Enter')
  await expect.poll(() => rows.count()).toBeGreaterThan(1)
  expect(faults).toEqual([])
  await close()
})

test('forgets several memories after a preview, and undoes it', async () => {
  for (const name of ['tern', 'gull', 'skua'])
    await service.ask('POST /api/memory/remember', {
      agent: 'default',
      body: { content: `The ${name} breeds on the skerry.`, project: 'skerry' },
    })
  const count = async () => {
    const { body } = await service.ask('GET /api/memories?project=skerry', { agent: 'default' })
    return (body['memories'] as readonly unknown[]).length
  }
  const { page, faults, close } = await openPage({
    url: `${service.url}/ui/memories?project=skerry`,
  })
  const rows = page.getByRole('list', { name: 'Memories' }).getByRole('listitem')
  await rows.nth(2).waitFor()
  // The keys move to a row and select it.
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  const toolbar = page.getByRole('toolbar', { name: 'Selected' })
  await toolbar.getByText('2 memories selected').waitFor()
  const preview = page.waitForResponse('**/api/memory/forget')
  await toolbar.getByRole('button', { name: 'Forget…' }).click()
  const { confirmToken, count: counted } = await (await preview).json()
  expect(counted).toBe(2)
  const dialog = page.getByRole('dialog', { name: 'Forget 2 memories?' })
  await dialog.getByText('breeds on the skerry').first().waitFor()
  expect(await count()).toBe(3)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('they left')
  // The browser shows the body of a request only to what intercepts it.
  await page.route('**/api/memory/forget', (route) => route.continue())
  const execution = page.waitForRequest('**/api/memory/forget')
  await dialog.getByRole('button', { name: 'Forget', exact: true }).click()
  expect((await execution).postDataJSON()).toMatchObject({ confirm_token: confirmToken })
  await dialog.waitFor({ state: 'hidden' })
  expect(await count()).toBe(1)

  await page.getByRole('status', { name: 'Live' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()
  expect(await count()).toBe(3)
  expect(faults).toEqual([])
  await close()
})

test('adds a tag to several memories, and undoes it', async () => {
  const body = { content: 'The eider dives for mussels.', project: 'eider', tags: ['sea'] }
  await service.ask('POST /api/memory/remember', { agent: 'default', body })
  const readTags = async () => {
    const { body } = await service.ask('GET /api/memories?project=eider', { agent: 'default' })
    return (body['memories'] as readonly { tags: string }[]).map(({ tags }) => tags)
  }
  const { page, faults, close } = await openPage({
    url: `${service.url}/ui/memories?project=eider`,
  })
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: /^Select: The eider/ }).check()
  await page.getByRole('button', { name: 'Add a tag…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a tag to 1 memory' })
  await dialog.getByRole('textbox', { name: 'Tag' }).fill('winter')
  await dialog.getByRole('region', { name: 'What it would do' }).getByText('winter').waitFor()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('seen in winter')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('1 memory changed.').waitFor()
  expect(await readTags()).toEqual(['sea,winter'])

  await page.getByRole('status', { name: 'Live' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()
  expect(await readTags()).toEqual(['sea'])
  expect(faults).toEqual([])
  await close()
})

test('leaves a memory that changes while a tag is added to it', async () => {
  const body = { content: 'The scoter rafts on the firth.', project: 'scoter', tags: ['sea'] }
  const { body: saved } = await service.ask('POST /api/memory/remember', { agent: 'default', body })
  const { page, close } = await openPage({ url: `${service.url}/ui/memories?project=scoter` })
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: /^Select: The scoter/ }).check()
  await page.getByRole('button', { name: 'Add a tag…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a tag to 1 memory' })
  await dialog.getByRole('textbox', { name: 'Tag' }).fill('winter')
  await dialog.getByRole('region', { name: 'What it would do' }).getByText('winter').waitFor()
  const change = { tags: ['theirs'], reason: 'their reason' }
  const path = `/api/memory/${String(saved['id'])}`
  await service.ask(`PATCH ${path}`, { agent: 'default', body: change })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('seen in winter')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()

  await page.getByText('1 changed meanwhile').waitFor()
  const { body: now } = await service.ask(`GET ${path}`, { agent: 'default' })
  expect(now['tags']).toBe('theirs')
  await close()
})

test('opens a memory over the list on a narrow page, and leads back', async () => {
  const body = { content: 'The plover runs along the tide line.', project: 'plover' }
  await service.ask('POST /api/memory/remember', { agent: 'default', body })
  const url = `${service.url}/ui/memories?project=plover`
  const { page, faults, close } = await openPage({ url, width: 390 })
  const list = page.getByRole('list', { name: 'Memories' })
  await list.getByRole('link', { name: /^The plover/ }).press('Enter')
  await page
    .getByRole('region', { name: 'Memory', exact: true })
    .getByText('plover')
    .first()
    .waitFor()
  expect(await list.isVisible()).toBe(false)
  const back = page.getByRole('link', { name: 'Back' })
  expect(await back.evaluate((link) => link.matches(':focus'))).toBe(true)

  await back.press('Enter')
  await list.waitFor()
  expect(faults).toEqual([])
  await close()
})
