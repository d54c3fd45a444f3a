import { readdir } from 'node:fs/promises'
import { loadavg } from 'node:os'
import type { z } from 'zod'
import { sizeOf } from '../../kernel/files/optional-files.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import type { resources } from './schemas.ts'
import { readServerSize } from './store.ts'

export async function measureFootprint(): Promise<z.output<typeof resources>> {
  return {
    rssBytes: process.memoryUsage.rss(),
    heapUsedBytes: process.memoryUsage().heapUsed,
    loadAverage: loadavg(),
    threads: await countEntries('/proc/self/task'),
    descriptors: await countEntries('/proc/self/fd'),
  }
}

/** Size of the database file and its WAL, or of the server database. */
export async function measureDatabase({
  db,
  self,
}: Pick<DiagnosticsNeeds, 'db' | 'self'>): Promise<number> {
  if (self.databaseFile === null) return readServerSize(db)
  const files = [self.databaseFile, `${self.databaseFile}-wal`]
  const sizes = await Promise.all(files.map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function countEntries(folder: string): Promise<number | null> {
  try {
    return (await readdir(folder)).length
  } catch {
    // Only Linux has these folders.
    return null
  }
}
