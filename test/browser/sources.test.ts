import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lineOf, saying } from '../support/import-line.ts'
import { removeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

const service = await startService({ mode: 'local' })
const files = await mkdtemp(join(tmpdir(), 'reverie-notes-'))
afterAll(async () => {
  await service.stop()
  await removeFolder(files)
})
const ask = (operation: string) => service.ask(operation, { agent: 'default' })

test('adds a folder, shows its progress, and removes it after a preview', async () => {
  const folder = join(files, 'notes')
  await mkdir(folder)
  await writeFile(join(folder, 'hives.md'), '# Hives\n\nThe hives stand behind the barn.')
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/sources` })
  const documents = page.getByRole('heading', { name: /^Documents/ })
  await documents.locator('span').getByText('0', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add a source' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a source' })
  await dialog.getByLabel('Folder').fill(folder)
  await dialog.getByLabel('Name').fill('Bee notes')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('link', { name: 'Bee notes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bee notes' }).waitFor()
  await page.getByText('1 item, 1 new or changed').waitFor()
  await page.getByText('Complete').first().waitFor()

  await page.getByRole('button', { name: 'Remove…' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove Bee notes?' })
  const effect = removal.getByRole('region', { name: 'What it would do' })
  await effect.getByText('Files', { exact: true }).waitFor()
  expect((await ask('GET /api/sources')).body['sources']).toHaveLength(1)
  await removal.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Removed.').waitFor()
  expect((await ask('GET /api/sources')).body['sources']).toEqual([])
  // The page may read the source once more before it leaves.
  expect(faults.filter((fault) => !/404.*\/api\/sources\/notes-vault/.test(fault))).toEqual([])
  await close()
})

test('downloads a snapshot of a source, and restores what changed since', async () => {
  const folder = await mkdtemp(join(files, 'orchard-'))
  const note = join(folder, 'pears.md')
  await writeFile(note, 'The pears are ripe.')
  const body = { path: folder, name: 'Orchard' }
  const { body: added } = await service.ask('POST /api/sources/notes-vault', {
    agent: 'default',
    body,
  })
  const { id } = added['source'] as { readonly id: string }
  const readContent = async () => {
    const { body: snapshot } = await ask(`GET /api/sources/${id}/snapshot`)
    return (snapshot['artifacts'] as readonly { content: string }[]).map(({ content }) => content)
  }
  const readRuns = async () => {
    const { body: shown } = await ask(`GET /api/sources/${id}`)
    return [...new Set((shown['runs'] as readonly { status: string }[]).map((run) => run.status))]
  }
  await expect.poll(readContent).toEqual(['The pears are ripe.\n'])
  const url = `${service.url}/ui/sources/${encodeURIComponent(id)}`
  const { page, faults, close } = await openPage({ url })
  await page.getByText('1 item, 1 new or changed').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^source-notes-vault-[0-9a-f]+\.json$/)
  await page.getByText('The snapshot is in your downloads.').waitFor()
  const snapshot = join(files, 'snapshot.json')
  await saved.saveAs(snapshot)

  await writeFile(note, 'The pears are gone.')
  await page.getByRole('button', { name: 'Read again' }).click()
  await expect.poll(readContent).toEqual(['The pears are gone.\n'])
  // A snapshot is refused during a run, which ends after its last write.
  await expect.poll(readRuns).toEqual(['complete'])
  await page.getByRole('button', { name: 'Restore…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore Orchard from a snapshot' })
  await dialog.getByText('replaces 1 file in the index').waitFor()
  const other = { name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{}') }
  await dialog.getByLabel('File').setInputFiles(other)
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await dialog.getByRole('alert').getByText('version must be 1').waitFor()
  await dialog.getByLabel('File').setInputFiles(snapshot)
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('1 file is restored.').waitFor()

  expect(await readContent()).toEqual(['The pears are ripe.\n'])
  expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  await close()
})

test('adds repositories with the name of a secret, and shows what was refused', async () => {
  const body = { value: 'synthetic' }
  await service.ask('POST /api/secrets/HOST_TOKEN', { agent: 'default', body })
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/sources` })
  const sent: unknown[] = []
  await page.route('**/api/sources/code-host', async (route) => {
    sent.push(route.request().postDataJSON())
    if (sent.length === 1) return route.continue()
    return route.fulfill({ status: 202, json: { source: { id: 'x' } } })
  })
  await page.getByRole('button', { name: 'Add a source' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a source' })
  await dialog.getByLabel('Type').selectOption({ label: 'Repositories' })
  await dialog.getByLabel('Repositories').fill('moss')
  await dialog.getByLabel('Secret with the token').selectOption('HOST_TOKEN')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByRole('alert').getByText('repos must be owner/name').waitFor()
  await dialog.getByLabel('Repositories').fill('moss/garden, moss/shed')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.waitFor({ state: 'hidden' })

  expect(sent[1]).toEqual({ repos: ['moss/garden', 'moss/shed'], tokenRef: 'HOST_TOKEN' })
  expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  await close()
})

const line = (key: string) => lineOf(key, saying(`The smoker is in crate ${key}.`))

test('uploads conversations, shows rejected lines, and retries them', async () => {
  const { page, faults, close } = await openPage({ url: `${service.url}/ui/sources` })
  await page.getByRole('button', { name: 'Import conversations' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import conversations' })
  const buffer = Buffer.from(`${line('one')}\nno json\n${line('two')}\n`)
  const file = { name: 'talks.jsonl', mimeType: 'application/jsonl', buffer }
  await dialog.getByLabel('File').setInputFiles(file)
  await page.route('**/api/sources/imports/*/files/*', (route) => {
    const json = { error: 'The file is too large.', code: 'too_large' }
    return route.fulfill({ status: 413, json })
  })
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await dialog.getByRole('alert').getByText('The file is too large.').waitFor()
  const { body } = await ask('GET /api/sources/imports')
  expect(body['imports']).toMatchObject([{ state: 'cancelled' }])
  await page.unroute('**/api/sources/imports/*/files/*')
  await dialog.getByRole('button', { name: 'Upload' }).click()
  const state = page.getByRole('status').getByText('complete, with rejected lines')
  await state.waitFor()
  const rejected = page.getByRole('list', { name: 'Rejected' })
  await rejected.getByText('The line is not JSON.').waitFor()
  await rejected.getByText('line 2').waitFor()
  expect(await page.getByRole('button', { name: 'Cancel…' }).count()).toBe(0)

  const retried = page.waitForResponse('**/retry')
  await page.getByRole('button', { name: 'Retry' }).click()
  expect((await retried).status()).toBe(200)
  await page.getByText('The rejected lines are tried again.').waitFor()
  await state.waitFor()
  await page.goto(`${service.url}/ui/sources`)
  await page.getByText('2 of 3 lines imported · 1 rejected').waitFor()
  expect(faults.filter((fault) => !fault.includes('413'))).toEqual([])
  await close()
})

test('shows the pending lines before a cancellation', async () => {
  const body = { files: [{ name: 'later.jsonl' }] }
  const { body: created } = await service.ask('POST /api/sources/imports', {
    agent: 'default',
    body,
  })
  const url = `${service.url}/ui/imports/${String(created['id'])}`
  const { page, faults, close } = await openPage({ url })
  await page.getByRole('status').getByText('waits for its files').waitFor()
  await page.getByRole('button', { name: 'Cancel…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this import?' })
  await dialog.getByText('Stored conversations stay.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel the import' }).click()

  await page.getByRole('status').getByText('cancelled').first().waitFor()
  expect(faults).toEqual([])
  await close()
})
