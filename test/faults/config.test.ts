import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchInVain } from '../support/daemon-process.ts'

test.each([
  ['broken YAML', 'auth: [team'],
  ['an unknown mode', 'auth: { mode: everybody }'],
  ['a number where a word belongs', 'database: { synchronous: 3 }'],
])('%s at the start ends the daemon and says where', async (_, text) => {
  const workspace = await mkdtemp(join(tmpdir(), 'reverie-config-'))
  onTestFinished(() => rm(workspace, { recursive: true }))
  await writeFile(join(workspace, 'agent.yaml'), text)

  const { code } = await launchInVain({ workspace })

  expect(code).not.toBe(0)
})
