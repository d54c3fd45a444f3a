import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { serve } from '../../kernel/testing/serve.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createPlugins } from '../plugins/index.ts'
import { createSecrets, secretsPluginId } from './index.ts'

async function createBoth(version = '1.0.0') {
  const folder = await temporaryFolder()
  const shared = { host: realHost, log: createLog('silent'), folder }
  const plugins = createPlugins({ ...shared, version, events: { emit: () => {} } })
  const secrets = createSecrets({
    ...shared,
    children: noChildLedger,
    locks: createFileLocks(realHost),
    keyFile: () => join(folder, 'key'),
    variables: () => ({}),
    pass: () => [],
    audit: plugins.audit,
    gate: plugins.createGate(secretsPluginId),
    version: '1.0.0',
  })
  plugins.add(secrets.plugin)
  await plugins.start()
  onTestFinished(() => plugins.stop())
  const url = await serve([...secrets.routes, ...plugins.routes])
  const send = async (method: string, path: string, body?: object) => {
    const reply = await fetch(url + path, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: Object(await reply.json()) }
  }
  return { secrets, send }
}

const { secrets: sample } = await createSample()
const routes = sample.plugin.manifest.surfaces.daemonRoutes

/** Outside a test, for the names of the tests. */
async function createSample() {
  const gate = { isOpen: () => true, assertGranted: () => {} }
  return {
    secrets: createSecrets({
      host: realHost,
      log: createLog('silent'),
      folder: '',
      children: noChildLedger,
      locks: createFileLocks(realHost),
      keyFile: () => '',
      variables: () => ({}),
      pass: () => [],
      audit: { add: () => {} },
      gate,
      version: '1.0.0',
    }),
  }
}

type Send = Awaited<ReturnType<typeof createBoth>>['send']
const listDenials = async (send: Send) =>
  (await send('GET', '/api/plugins/audit?event=plugin.capability_denied')).body.events

const plugin = `/api/plugins/${secretsPluginId}`
const toPath = (path: string) => path.replaceAll(/:\w+/g, 'SOME_NAME')
const pick = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
  status,
  pluginId: body['pluginId'],
  reason: body['status'],
  missing: body['missingCapabilities'],
})

test('all twelve capabilities are granted at first, and each route has one', async () => {
  const { secrets, send } = await createBoth()
  const { body } = await send('GET', plugin)

  expect(body).toMatchObject({ source: 'bundled', trustTier: 'core', state: 'active' })
  expect(body.grantedCapabilities).toHaveLength(12)
  expect(body.pendingCapabilities).toEqual([])
  expect(secrets.routes.filter(({ precondition }) => !precondition)).toEqual([])
  expect(body.surfaces.daemonRoutes).toHaveLength(secrets.routes.length)
})

describe.each(routes)('$method $path', ({ method, path, requiredCapabilities }) => {
  test('is closed while the plugin is disabled, and the denial is audited', async () => {
    const { send } = await createBoth()
    await send('PATCH', plugin, { enabled: false })

    expect(pick(await send(method, toPath(path)))).toEqual({
      status: 403,
      pluginId: secretsPluginId,
      reason: 'plugin-inactive',
      missing: [],
    })
    expect(await listDenials(send)).toMatchObject([{ data: { path, method, httpStatus: 403 } }])
    await send('PATCH', plugin, { enabled: true })
    expect((await send(method, toPath(path))).body.pluginId).toBeUndefined()
  })

  test('is closed without its capability, and the denial is audited', async () => {
    const { send } = await createBoth()
    const { body: record } = await send('GET', plugin)
    const capabilities = record.grantedCapabilities.filter(
      (name: string) => !requiredCapabilities.includes(name),
    )
    await send('PUT', `${plugin}/grants`, { capabilities })

    expect(pick(await send(method, toPath(path)))).toEqual({
      status: 403,
      pluginId: secretsPluginId,
      reason: 'capability-missing',
      missing: requiredCapabilities,
    })
    expect(await listDenials(send)).toMatchObject([
      {
        result: 'denied',
        source: 'secrets-routes',
        data: { path, method, httpStatus: 403, requiredCapabilities },
      },
    ])
  })

  test('is closed while the plugin is blocked, and the denial is audited', async () => {
    const { send } = await createBoth('0.0.1')

    expect(pick(await send(method, toPath(path)))).toEqual({
      status: 503,
      pluginId: secretsPluginId,
      reason: 'plugin-inactive',
      missing: [],
    })
    expect(await listDenials(send)).toMatchObject([{ data: { path, method, httpStatus: 503 } }])
  })
})

test('a revoked capability hides its tools and the names at session start', async () => {
  const { secrets, send } = await createBoth()
  const offered = () => secrets.tools.filter(({ isOffered }) => isOffered?.()).length
  await send('POST', '/api/secrets/MOSS_KEY', { value: 'synthetic-moss' })
  expect([offered(), await secrets.names.listNames()]).toEqual([3, ['MOSS_KEY']])

  const { body } = await send('GET', plugin)
  const without = (name: string) => body.grantedCapabilities.filter((one: string) => one !== name)
  await send('PUT', `${plugin}/grants`, { capabilities: without('mcp:tool') })
  expect(offered()).toBe(0)
  await send('PUT', `${plugin}/grants`, { capabilities: without('secrets:list') })
  expect([offered(), await secrets.names.listNames()]).toEqual([2, []])
})
