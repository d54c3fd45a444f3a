import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createPlugins } from './index.ts'

export const sampleManifest = {
  schemaVersion: 1,
  id: 'team.rules',
  name: 'Rules',
  version: '1.0.0',
  publisher: 'team',
  trustTier: 'local-dev',
  runtime: { kind: 'none' },
  capabilities: [{ id: 'prompt:contribute:session-start', summary: 'Add rules' }],
  surfaces: {
    promptContributions: [
      {
        id: 'team.rules.text',
        target: 'session-start',
        summary: 'Rules',
        content: 'Shut the gate.',
        requiredCapabilities: ['prompt:contribute:session-start'],
      },
    ],
  },
}

/** Plugins of an empty workspace, not started. */
export async function createTestPlugins({ version = '1.2.3', workspace = '' } = {}) {
  const folder = workspace || (await temporaryFolder())
  const host = { ...fixedHost(), sleep: realHost.sleep }
  const emitted: unknown[] = []
  const plugins = createPlugins({
    host,
    events: { emit: ({ name }, payload) => void emitted.push({ name, ...Object(payload) }) },
    log: createLog('silent'),
    folder,
    version,
  })
  onTestFinished(() => plugins.stop())
  const write = async (name: string, manifest: unknown) => {
    await mkdir(join(folder, 'plugins', name), { recursive: true })
    const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest)
    await writeFile(join(folder, 'plugins', name, 'plugin.json'), text)
  }
  const routes = new Map(plugins.routes.map((route) => [route.name, route]))
  const call = async (name: string, more: object = {}) =>
    (await routes.get(name)?.handle({ params: {}, body: {}, query: {}, ...more } as never)) as never
  return { folder, plugins, write, call, emitted }
}
