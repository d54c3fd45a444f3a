import { isCrowded, type SearchIndex } from '../index/search-index.ts'
import { copyOf, fromSections, toSections } from '../snapshot/index-sections.ts'
import { release, type Sections } from '../snapshot/sections.ts'
import { writeSnapshot } from '../snapshot/snapshot-file.ts'
import type { SearchThreadOptions } from './options.ts'

/** So few rows are read from the database in less time than a snapshot takes. */
const usualLeast = 2000
/** Of what is indexed: so much more has to be read after a crash. */
const share = 0.1

export interface SnapshotKeeper {
  /**
   * Writes a snapshot when much has changed since the last, or something is gone for good; one at a
   * time. Gives the index to go on with: one that is crowded by what answers no more is read anew
   * from what is written.
   */
  keep(index: SearchIndex): SearchIndex
  /** When none is being written any more. */
  settled(): Promise<void>
}

type SnapshotOptions = Pick<SearchThreadOptions, 'snapshotFile' | 'snapshotAfter'> & {
  readonly source: string
  /** Of which there is a snapshot as it is now, unless it is empty. */
  readonly index: SearchIndex
}

interface Listeners {
  /** A snapshot spares time, and no more: one that cannot be written is told of and done without. */
  readonly onFailure: (error: unknown) => void
  /** Something may have gone meanwhile. */
  readonly onWritten: () => void
}

export function createSnapshotKeeper(
  { snapshotFile, snapshotAfter = usualLeast, source, index }: SnapshotOptions,
  { onFailure, onWritten }: Listeners,
): SnapshotKeeper {
  const state: { writing?: Promise<void> | undefined; written: Mark } = { written: toMark(index) }
  const write = async (sections: Sections) => {
    try {
      await writeSnapshot(snapshotFile, sections)
    } catch (error) {
      onFailure(error)
    }
    release(sections)
    state.writing = undefined
    onWritten()
  }
  const isDue = (index: SearchIndex) => {
    const { memories, vectors, gone } = state.written.of === index ? state.written : nothing
    const changes = index.seen.memories - memories + (index.seen.vectors - vectors)
    const enough = Math.max(snapshotAfter, share * index.slots.size)
    return changes >= enough || index.gone > gone || isCrowded(index)
  }
  return {
    keep: (index) => {
      if (state.writing || !isDue(index)) return index
      const sections = toSections(index, source)
      const next = isCrowded(index) ? fromSections(copyOf(sections), source) : undefined
      state.writing = write(sections)
      state.written = toMark(next ?? index)
      return next ?? index
    },
    settled: async () => state.writing,
  }
}

/** What a snapshot holds of an index; of another index, which is begun anew, it holds nothing. */
interface Mark {
  readonly of: SearchIndex
  readonly memories: number
  readonly vectors: number
  readonly gone: number
}

const nothing = { memories: 0, vectors: 0, gone: 0 }

function toMark(index: SearchIndex): Mark {
  return { of: index, ...index.seen, gone: index.gone }
}
