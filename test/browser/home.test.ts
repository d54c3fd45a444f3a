import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

const home = await mkdtemp(join(tmpdir(), 'reverie-home-'))
const env = { HOME: home, CODEX_HOME: join(home, '.codex') }
const service = await startService({ mode: 'local', env })
afterAll(async () => {
  await service.stop()
  await removeFolder(home)
})

test('connects a harness from the empty home after its change was shown', async () => {
  const { page, faults, close } = await openPage({ url: service.url })
  await page.getByRole('heading', { level: 2, name: 'Three steps to a memory' }).waitFor()
  const found = page.getByRole('group', { name: 'Found on this machine' })
  await found.getByRole('button', { name: 'Codex CLI' }).click()
  await page.getByRole('region', { name: 'Proposed change' }).waitFor()
  const file = join(home, '.codex', 'config.toml')
  await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT')
  await page.getByRole('button', { name: 'Connect Codex CLI' }).click()
  await page.getByText('Codex CLI is connected.').waitFor()

  expect(await readFile(file, 'utf8')).toContain('reverie')
  expect(faults).toEqual([])
  await close()
})
