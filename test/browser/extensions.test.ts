import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'
import { openPage } from './open-page.ts'

/** A harness that runs until it is stopped. */
const programs = await mkdtemp(join(tmpdir(), 'reverie-programs-'))
await writeFile(join(programs, 'kimi'), '#!/bin/sh\necho "begun: $2"\nexec sleep 600\n')
await chmod(join(programs, 'kimi'), 0o755)
const service = await startService({ mode: 'local', env: { PATH: `${programs}:/usr/bin:/bin` } })
afterAll(async () => {
  await service.stop()
  await removeFolder(programs)
})

test('follows the output of a task and stops it', async () => {
  const task = { name: 'Sweep', prompt: 'Sweep the yard.', harness: 'kimi' }
  const body = { ...task, cronExpression: '0 6 * * *' }
  const { body: created } = await service.ask('POST /api/tasks', { agent: 'default', body })
  const url = `${service.url}/ui/tasks/${String(created['id'])}`
  const { page, faults, close } = await openPage({ url })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const live = page.getByRole('region', { name: 'Running now' })
  await live.getByRole('log', { name: 'Output' }).getByText('begun: Sweep the yard.').waitFor()

  await live.getByRole('button', { name: 'Stop' }).click()
  await live.waitFor({ state: 'hidden' })
  await page.getByRole('list', { name: 'Runs' }).getByText('failed').first().waitFor()
  expect(faults).toEqual([])
  await close()
})

test('shows a new token once', async () => {
  const { page, close } = await openPage({ url: `${service.url}/ui/agents` })
  await page.getByRole('combobox', { name: 'Role' }).selectOption('readonly')
  const issued = page.waitForResponse('**/api/auth/token')
  await page.getByRole('button', { name: 'Create a token' }).click()
  const { token } = await (await issued).json()
  await page.getByRole('alert').getByText(token).waitFor()

  await page.reload()
  await page.getByRole('button', { name: 'Create a token' }).waitFor()
  expect(await page.getByText(token).count()).toBe(0)
  await close()
})
