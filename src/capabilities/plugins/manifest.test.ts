import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestPlugins, sampleManifest } from './plugins.fixture.ts'

const [contribution] = sampleManifest.surfaces.promptContributions
const withContribution = (more: object) => ({
  ...sampleManifest,
  surfaces: { promptContributions: [{ ...contribution, ...more }] },
})

async function readRecord(manifest: unknown) {
  const { plugins, write, call } = await createTestPlugins()
  await write('rules', manifest)
  await plugins.start()
  await call('plugins.enable', { params: { id: 'team.rules' }, body: { enabled: true } })
  const { plugin } = (await call('plugins.diagnostics', {
    params: { id: 'team.rules' },
  })) as unknown as {
    plugin: { record: { state: string; stateReason?: string }; validationErrors: string[] }
  }
  return { ...plugin.record, errors: plugin.validationErrors }
}

test('a valid declarative plugin becomes active', async () => {
  expect(await readRecord(sampleManifest)).toMatchObject({ state: 'active', errors: [] })
})

test.each([
  ['an unknown key', { ...sampleManifest, scripts: {} }],
  ['another version of the schema', { ...sampleManifest, schemaVersion: 2 }],
  ['no semantic version', { ...sampleManifest, version: '1.0' }],
  ['a tier of bundled plugins', { ...sampleManifest, trustTier: 'core' }],
  ['a capability without a summary', { ...sampleManifest, capabilities: [{ id: 'a:b' }] }],
  ['a capability of one word', { ...sampleManifest, capabilities: [{ id: 'a', summary: 'A' }] }],
  ['an undeclared capability', { ...sampleManifest, capabilities: [] }],
  ['a surface without capabilities', withContribution({ requiredCapabilities: [] })],
  ['an unknown target', withContribution({ target: 'footer' })],
  ['two texts', withContribution({ contentFile: 'rules.md' })],
  ['no text', withContribution({ content: undefined })],
  ['a text that is too long', withContribution({ content: 'x'.repeat(16_385) })],
  ['a malformed range', { ...sampleManifest, requires: { core: 'new' } }],
  [
    'a capability twice',
    {
      ...sampleManifest,
      capabilities: [...sampleManifest.capabilities, ...sampleManifest.capabilities],
    },
  ],
])('a manifest with %s is blocked with the broken rule', async (_, manifest) => {
  const { state, errors } = await readRecord(manifest)

  expect(state).toBe('blocked')
  expect(errors).not.toEqual([])
})

test.each([
  [{ runtime: { kind: 'node' } }, "the runtime kind 'node' is not supported"],
  [{ runtime: { kind: 'bundled-module' } }, "the runtime kind 'bundled-module' is not supported"],
  [{ requires: { core: '>=2' } }, 'it requires version >=2 of the service'],
])('a valid plugin with %j is blocked', async (more, stateReason) => {
  expect(await readRecord({ ...sampleManifest, ...more })).toMatchObject({
    state: 'blocked',
    stateReason,
  })
})

test.each(['rules/../../outside.md', '../outside.md', 'missing.md', 'folder', 'link.md'])(
  'the contentFile %s blocks the plugin',
  async (contentFile) => {
    const { folder, plugins, write, call } = await createTestPlugins()
    await write('rules', withContribution({ content: undefined, contentFile }))
    await writeFile(join(folder, 'plugins', 'outside.md'), 'outside')
    await symlink(
      join(folder, 'plugins', 'outside.md'),
      join(folder, 'plugins', 'rules', 'link.md'),
    )
    await mkdir(join(folder, 'plugins', 'rules', 'folder'))
    await plugins.start()

    const { plugins: listed } = (await call('plugins.list')) as { plugins: object[] }
    expect(listed).toMatchObject([{ id: 'team.rules', state: 'blocked' }])
  },
)

test('links, damaged and unnamed manifests, reserved ids and second ids are no plugins', async () => {
  const { folder, plugins, write, call } = await createTestPlugins()
  await write('a', sampleManifest)
  await write('b', { ...sampleManifest, name: 'Second' })
  await write('c', '{')
  await write('d', { ...sampleManifest, id: 'Upper.Case' })
  await write('e', 'x'.repeat(70_000))
  await write('f', { ...sampleManifest, id: 'svc.other' })
  await symlink(join(folder, 'plugins', 'a'), join(folder, 'plugins', 'linked'))
  await plugins.start()

  const { plugins: listed } = (await call('plugins.list')) as { plugins: { id: string }[] }
  expect(listed).toMatchObject([
    { id: 'team.rules', name: 'Rules', state: 'disabled' },
    { id: 'svc.other', state: 'blocked' },
  ])
})
