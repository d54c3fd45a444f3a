import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host } from '../../../../kernel/host/host.ts'
import type { Log } from '../../../../kernel/log/log.ts'
import type { SourceEntry } from '../../source.ts'
import { createExcludes } from './scan.ts'

interface WatcherNeeds {
  readonly host: Host
  readonly log: Pick<Log, 'warn'>
  /** Called once after a burst of changes. */
  readonly onChange: (source: SourceEntry) => void
}

/** Watches the folders of vaults. A run compares the files, so an event only starts it. */
export interface VaultWatcher {
  /** Watches these vaults and their present folders, and no others. */
  refresh(vaults: readonly SourceEntry[]): Promise<void>
  close(): void
}

const debounceMs = 300
/** The limit of watches of many systems is 8,192; further folders are read by the runs alone. */
const maxFolders = 4_000

interface Watched {
  readonly source: SourceEntry
  readonly folders: Map<string, FSWatcher>
  isPending: boolean
  /** Whether folders may have been added since the last look. */
  isDirty: boolean
}

export function createVaultWatcher({ host, log, onChange }: WatcherNeeds): VaultWatcher {
  const watched = new Map<string, Watched>()
  const stop = new AbortController()
  const notify = async (vault: Watched) => {
    vault.isDirty = true
    if (vault.isPending) return
    vault.isPending = true
    await host.sleep(debounceMs, stop.signal)
    vault.isPending = false
    if (!stop.signal.aborted && watched.get(vault.source.id) === vault) onChange(vault.source)
  }
  const open = (vault: Watched, folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false }, () => void notify(vault))
      const end = () => {
        watcher.close()
        vault.folders.delete(folder)
      }
      // The folder is gone; a run sees what is missing.
      watcher.on('error', end)
      vault.folders.set(folder, watcher)
    } catch (error) {
      // A folder that is gone, or no free watch: the next start of a run reads it.
      log.warn({ err: error, folder }, 'folder is not watched')
    }
  }
  const watchFolders = async (vault: Watched) => {
    if (!vault.isDirty && vault.folders.has(vault.source.root)) return
    vault.isDirty = false
    for (const folder of await listFolders(vault.source))
      if (!vault.folders.has(folder) && !stop.signal.aborted) open(vault, folder)
  }
  const close = (id: string) => {
    for (const watcher of watched.get(id)?.folders.values() ?? []) watcher.close()
    watched.delete(id)
  }
  return {
    refresh: async (vaults) => {
      const ids = new Set(vaults.map(({ id }) => id))
      for (const id of watched.keys()) if (!ids.has(id)) close(id)
      for (const source of vaults) {
        const before = watched.get(source.id)
        const fresh = { source, folders: new Map(), isPending: false, isDirty: true }
        const vault: Watched = before ?? fresh
        watched.set(source.id, vault)
        await watchFolders(vault)
      }
    },
    close: () => {
      stop.abort()
      for (const id of [...watched.keys()]) close(id)
    },
  }
}

/** The folders of a vault, itself first; none while it is away. */
async function listFolders({ root, excludeGlobs }: SourceEntry): Promise<readonly string[]> {
  const isExcluded = createExcludes(root, excludeGlobs)
  const folders = [root]
  for (let at = 0; at < folders.length && folders.length < maxFolders; at++) {
    const folder = folders[at] ?? root
    const paths = (await listSubfolders(folder)).filter((path) => !isExcluded(path))
    folders.push(...paths)
  }
  return folders.slice(0, maxFolders)
}

async function listSubfolders(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  } catch {
    // Gone or unreadable; the run reports it.
    return []
  }
}
