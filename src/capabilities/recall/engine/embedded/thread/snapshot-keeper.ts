import type { SearchIndex } from '../index/search-index.ts'
import { writeSnapshot } from '../snapshot/snapshot-file.ts'
import type { SearchThreadOptions } from './messages.ts'

/** So few rows are read from the database in less time than a snapshot takes. */
const usualLeast = 2000
/** Of what is indexed: so much more has to be read after a crash. */
const share = 0.1

export interface SnapshotKeeper {
  /** Writes a snapshot when much has changed since the last, one at a time. */
  keep(index: SearchIndex): void
  /** When none is being written any more. */
  settled(): Promise<void>
}

type SnapshotOptions = Pick<SearchThreadOptions, 'snapshotFile' | 'snapshotAfter'> & {
  readonly source: string
}

/** A snapshot spares time, and no more: one that cannot be written is told of and done without. */
export function createSnapshotKeeper(
  { snapshotFile, snapshotAfter = usualLeast, source }: SnapshotOptions,
  onFailure: (error: unknown) => void,
): SnapshotKeeper {
  const state: { writing?: Promise<void> | undefined; written: SearchIndex['seen'] } = {
    written: { memories: 0, vectors: 0 },
  }
  const write = async (index: SearchIndex) => {
    state.written = { ...index.seen }
    try {
      await writeSnapshot(snapshotFile, index, source)
    } catch (error) {
      onFailure(error)
    }
    state.writing = undefined
  }
  return {
    keep: (index) => {
      const { memories, vectors } = index.seen
      const changes = memories - state.written.memories + (vectors - state.written.vectors)
      const enough = Math.max(snapshotAfter, share * index.slots.size)
      if (!state.writing && changes >= enough) state.writing = write(index)
    },
    settled: async () => state.writing,
  }
}
