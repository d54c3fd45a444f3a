import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifestSchema } from './manifest.ts'
import { createTestPlugins, sampleManifest } from './plugins.fixture.ts'

const params = { id: 'team.rules' }
const capability = 'prompt:contribute:session-start'
type Fixture = Awaited<ReturnType<typeof createTestPlugins>>

async function createActive(manifest: object = sampleManifest) {
  const fixture = await createTestPlugins()
  await fixture.write('rules', manifest)
  await fixture.plugins.start()
  await setGrants(fixture, [capability])
  await setEnabled(fixture, true)
  return fixture
}

const setEnabled = ({ call }: Fixture, enabled: boolean) =>
  call('plugins.enable', { params, body: { enabled } })
const setGrants = ({ call }: Fixture, capabilities: readonly string[]) =>
  call('plugins.grants', { params, body: { capabilities } })
const listTexts = async ({ plugins }: Fixture) =>
  (await plugins.promptContributions.listContributions('session-start')).map(
    ({ content }) => content,
  )
const listEvents = async ({ call }: Fixture, query: object = {}) => {
  const { events } = (await call('plugins.audit', { query: { limit: 100, ...query } })) as {
    events: { event: string; data: object; timestamp: string }[]
  }
  return events
}

test('a text is in effect while its plugin is enabled and granted', async () => {
  const fixture = await createActive()
  expect(await listTexts(fixture)).toEqual(['Shut the gate.'])

  await setGrants(fixture, [])
  expect(await listTexts(fixture)).toEqual([])
  await setGrants(fixture, [capability])
  await setEnabled(fixture, false)
  expect(await listTexts(fixture)).toEqual([])

  expect((await listEvents(fixture)).map(({ event }) => event)).toEqual([
    'prompt.contribution_removed',
    'plugin.disabled',
    'prompt.contribution_added',
    'plugin.grants_changed',
    'prompt.contribution_removed',
    'plugin.grants_changed',
    'prompt.contribution_added',
    'plugin.enabled',
    'plugin.grants_changed',
    'plugin.discovered',
  ])
})

test('decisions survive a restart in a file of their owner', async () => {
  const fixture = await createActive()
  const file = join(fixture.folder, 'runtime', 'plugins', 'registry.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const { plugins } = await createTestPlugins({ workspace: fixture.folder })
  await plugins.start()
  expect(await plugins.promptContributions.listContributions('session-start')).toHaveLength(1)
})

test('a capability that is not declared cannot be granted, and an unknown plugin is not found', async () => {
  const fixture = await createActive()

  await expect(setGrants(fixture, ['secrets:list'])).rejects.toMatchObject({
    code: 'capability_not_declared',
  })
  await expect(
    fixture.call('plugins.enable', { params: { id: 'team.none' }, body: { enabled: true } }),
  ).rejects.toMatchObject({ code: 'plugin_not_found', message: 'Plugin not found' })
})

test('with a damaged registry the defaults apply and nothing is changed', async () => {
  const { folder } = await createActive()
  const file = join(folder, 'runtime', 'plugins', 'registry.json')
  await writeFile(file, '{')
  const fixture = await createTestPlugins({ workspace: folder })
  await fixture.plugins.start()

  expect(await listTexts(fixture)).toEqual([])
  await expect(setEnabled(fixture, true)).rejects.toMatchObject({
    kind: 'unreadable',
    code: 'plugin_registry_unreadable',
  })
  expect(await readFile(file, 'utf8')).toBe('{')
  const { status, reasons } = await fixture.plugins.health.check()
  expect([status, reasons[0]]).toEqual(['degraded', expect.stringContaining('cannot be read')])
})

test('texts are bounded, ordered, and free of control characters', async () => {
  const [entry] = sampleManifest.surfaces.promptContributions
  const text = (id: string, more: object) => ({ ...entry, id, ...more })
  const fixture = await createActive({
    ...sampleManifest,
    surfaces: {
      promptContributions: [
        text('late', { priority: 900, maxTokens: 400 }),
        text('long', { priority: 2, maxTokens: 400, content: 'x'.repeat(2_000) }),
        text('hidden', { priority: 1, maxTokens: 300, content: '\u202eAsk\u0007\nfirst\u2066' }),
      ],
    },
  })

  expect(await listTexts(fixture)).toEqual(['Ask\nfirst', 'x'.repeat(1_600)])
  const { plugin } = (await fixture.call('plugins.diagnostics', { params })) as {
    plugin: { promptContributionDiagnostics: object[] }
  }
  expect(plugin.promptContributionDiagnostics).toMatchObject([
    { included: true },
    { included: true },
    { contribution: { id: 'late' }, included: false, reason: expect.stringContaining('budget') },
  ])
})

test.each([
  ['fails', () => Promise.reject(new Error('no text'))],
  ['never answers', () => new Promise<string>(() => {})],
])('a module that %s three times is degraded until one call succeeds', async (_, breakDown) => {
  const fixture = await createTestPlugins()
  let isBroken = true
  const manifest = manifestSchema.parse({
    ...sampleManifest,
    id: 'svc.rules',
    trustTier: 'core',
    runtime: { kind: 'bundled-module' },
  })
  fixture.plugins.add({
    manifest,
    contents: {
      'team.rules.text': async () => (isBroken ? breakDown() : 'Shut the gate.'),
    },
  })
  await fixture.plugins.start()
  for (const _ of [1, 2, 3]) expect(await listTexts(fixture)).toEqual([])
  const { status, details } = await fixture.plugins.health.check()
  expect([status, details]).toMatchObject(['degraded', { degraded: ['svc.rules'] }])

  isBroken = false
  expect(await listTexts(fixture)).toEqual(['Shut the gate.'])
  expect((await fixture.plugins.health.check()).status).toBe('ok')
  const events = (await listEvents(fixture)).map(({ event }) => event)
  expect(events.filter((event) => event === 'plugin.health_failed')).toHaveLength(1)
})
