import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import { type SourceEntry, sourceEntry } from '../source.ts'

const tombstone = z.object({
  id: z.string(),
  source: sourceEntry,
  agentId: z.string(),
  deletedAt: z.string(),
})
export type Tombstone = z.output<typeof tombstone>

/** Deletions that have begun and not ended, in a file of the workspace. */
export interface Tombstones {
  list(): Promise<readonly Tombstone[]>
  add(entry: Tombstone): Promise<void>
  remove(source: Pick<SourceEntry, 'id' | 'generation'>): Promise<void>
}

export function createTombstones(folder: string): Tombstones {
  const file = join(folder, '.daemon', 'source-deletion-tombstones.json')
  const state: { entries?: readonly Tombstone[]; turn: Promise<unknown> } = {
    turn: Promise.resolve(),
  }
  const list = async () => {
    state.entries ??= await readTombstones(file)
    return state.entries
  }
  const change = (edit: (entries: readonly Tombstone[]) => readonly Tombstone[]) => {
    const turn = state.turn.then(async () => {
      const entries = edit(await list())
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await replaceFile(file, `${JSON.stringify(entries, null, 2)}\n`)
      state.entries = entries
    })
    // The next change has its own outcome.
    state.turn = turn.catch(() => undefined)
    return turn
  }
  return {
    list,
    add: (entry) =>
      change((entries) => [...entries.filter((one) => !isOf(one, entry.source)), entry]),
    remove: (source) => change((entries) => entries.filter((one) => !isOf(one, source))),
  }
}

function isOf(entry: Tombstone, { id, generation }: Pick<SourceEntry, 'id' | 'generation'>) {
  return entry.id === id && entry.source.generation === generation
}

async function readTombstones(file: string): Promise<readonly Tombstone[]> {
  try {
    return z.array(tombstone).parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
