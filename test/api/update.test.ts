import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService({ config: { skills: { registryUrl: '' } } })
afterAll(() => service.stop())

test('without a source a check says so, and nothing can be installed', async () => {
  expect((await service.ask('GET /api/update/check?force=true')).body).toMatchObject({
    latestVersion: null,
    updateAvailable: false,
    restartRequired: false,
    checkError: 'no update source is configured',
  })
  const { status, body } = await service.ask('POST /api/update/run', { role: 'admin', body: {} })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    success: false,
    errorCode: 'no_target_version',
    activeExecutableVerified: false,
  })
  expect((await service.ask('GET /api/update/status')).body).toEqual({ state: 'idle' })
})

test('a version that is no version, or an older one, is refused in the reply', async () => {
  for (const targetVersion of ['latest', '0.0.1'])
    expect(
      (await service.ask('POST /api/update/run', { role: 'admin', body: { targetVersion } })).body,
    ).toMatchObject({ success: false, errorCode: 'invalid_target_version' })
})

test('the settings are written under their names in the file, and take effect', async () => {
  const body = { auto_install: 'false', checkInterval: '600', channel: 'next' }
  expect(
    (await service.ask('POST /api/update/config', { role: 'admin', body })).body,
  ).toMatchObject({
    success: true,
    persisted: true,
    config: { autoInstall: false, checkInterval: 600, channel: 'nightly', minInterval: 300 },
  })
  const text = await readFile(join(service.workspace, 'agent.yaml'), 'utf8')
  expect(text).toMatch(/updates:\n {2}(.*\n {2}){0,2}channel: "?nightly"?/)
  expect(text).toContain('check_interval: 600')
  expect((await service.ask('GET /api/update/config')).body).toMatchObject({
    checkInterval: 600,
    updateInProgress: false,
    pendingRestartVersion: null,
  })
})

test.each([
  [{ autoInstall: 'yes' }, 'autoInstall'],
  [{ checkInterval: 299 }, 'checkInterval'],
  [{ check_interval: 604_801 }, 'check_interval'],
  [{ checkInterval: 600.5 }, 'checkInterval'],
  [{ channel: 'beta' }, 'channel'],
])('%o is refused with the name of the field', async (body, field) => {
  const reply = await service.ask('POST /api/update/config', { role: 'admin', body })
  expect(reply).toMatchObject({ status: 400, body: { success: false } })
  expect(JSON.stringify(reply.body)).toContain(field)
})

test('health, status and diagnostics show the same state', async () => {
  expect((await service.ask('GET /health')).body).toMatchObject({
    updateAvailable: false,
    pendingRestart: null,
  })
  expect((await service.ask('GET /api/status')).body['update']).toMatchObject({
    autoInstall: false,
    updateAvailable: false,
    timerActive: false,
  })
  expect((await service.ask('GET /api/diagnostics/update')).body).toMatchObject({
    autoInstallEnabled: false,
    score: 1,
  })
})

test('a token of one project may not run updates', async () => {
  const reply = await service.ask('POST /api/update/run', {
    role: 'operator',
    scope: { project: 'moss' },
    body: {},
  })
  expect(reply.status).toBe(403)
})
