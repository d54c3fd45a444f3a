import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realHost } from '../../../../kernel/host/host.ts'
import { createLog } from '../../../../kernel/log/log.ts'
import { temporaryFolder } from '../../../../kernel/testing/temporary-folder.ts'
import type { SourceEntry } from '../../source.ts'
import { createVaultWatcher } from './watcher.ts'

test('an edit, a rename and a note of a new folder are noticed once for a burst', async () => {
  const root = await temporaryFolder()
  await mkdir(join(root, 'sub'))
  const changes: string[] = []
  const watcher = createVaultWatcher({
    host: realHost,
    log: createLog('silent'),
    onChange: ({ id }) => changes.push(id),
  })
  onTestFinished(() => watcher.close())
  const vault = toVault(root)
  await watcher.refresh([vault])

  for (const text of ['a', 'b', 'c']) await writeFile(join(root, 'sub', 'note.md'), text)
  await vi.waitFor(() => expect(changes).toEqual(['vault']), 5_000)
  await rename(join(root, 'sub', 'note.md'), join(root, 'moved.md'))
  await vi.waitFor(() => expect(changes).toHaveLength(2), 5_000)

  await mkdir(join(root, 'later'))
  await vi.waitFor(() => expect(changes).toHaveLength(3), 5_000)
  await watcher.refresh([vault])
  await writeFile(join(root, 'later', 'note.md'), 'd')
  await vi.waitFor(() => expect(changes).toHaveLength(4), 5_000)
})

function toVault(root: string): SourceEntry {
  return {
    id: 'vault',
    kind: 'notes-vault',
    name: 'Vault',
    root,
    enabled: true,
    mode: 'read-only',
    createdAt: '2026-01-02T03:04:05.000Z',
    updatedAt: '2026-01-02T03:04:05.000Z',
    excludeGlobs: [],
    generation: 'one',
    providerSettings: { agentId: 'ada' },
  }
}
