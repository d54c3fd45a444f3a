import type { SearchWorkerOptions } from '../embedded-engine.ts'
import { needsCompaction, type SearchIndex } from '../index/search-index.ts'
import { toSections } from '../snapshot/index-sections.ts'
import { readSnapshot, removeSnapshot, writeSnapshot } from '../snapshot/snapshot-file.ts'

/** So few rows are read from the database in less time than a snapshot takes. */
const defaultMinChanges = 2000
/** Of what is indexed: so much more has to be read after a crash. */
const minChangedShare = 0.25
/** Whoever stops the service does not wait longer: what is not written by then is read anew. */
const closeTimeoutMs = 1000
/** When something is gone for good: without another snapshot there would be none at all. */
const purgeTimeoutMs = 5000

export interface SnapshotKeeper {
  /**
   * Begins a snapshot when much has changed since the last, or something is gone for good; one at a
   * time, a piece at a time. Gives the index to go on with: of one that was crowded by what answers
   * no more, what was written is read anew, and what has changed since then is still to be read.
   */
  update(index: SearchIndex): SearchIndex
  /**
   * Writes what has changed, if that is soon done, and nothing from then on. No file stays that may
   * hold what is gone for good; nobody knows what is, when there is no index that has read all.
   */
  close(index: SearchIndex | undefined): Promise<void>
}

type SnapshotOptions = Pick<SearchWorkerOptions, 'snapshotFile' | 'snapshotAfter'> & {
  readonly source: string
  /** Of which there is a snapshot as it is now, unless it is empty. */
  readonly index: SearchIndex
}

interface Listeners {
  /** A snapshot spares time, and no more: one that cannot be written is told of and done without. */
  readonly onFailure: (error: unknown) => void
  /** Something may have gone meanwhile, or there is an index to go on with. */
  readonly onWritten: () => void
}

interface State {
  /** Or about to be. */
  written: SnapshotMark
  /** What is in the file. */
  saved: SnapshotMark
  writing?: Promise<void> | undefined
  /** An index read anew, and the one whose place it takes. */
  compacted?: { readonly of: SearchIndex; readonly index: SearchIndex } | undefined
}

export function createSnapshotKeeper(
  { snapshotFile, snapshotAfter = defaultMinChanges, source, index }: SnapshotOptions,
  { onFailure, onWritten }: Listeners,
): SnapshotKeeper {
  const stop = new AbortController()
  const state: State = { written: toMark(index), saved: toMark(index) }
  const write = async (index: SearchIndex, { reload }: { readonly reload: boolean }) => {
    const sections = toSections(index, source)
    const mark = toMark(index)
    state.written = mark
    try {
      await writeSnapshot(snapshotFile, sections, stop.signal)
      state.saved = mark
      const read = reload ? readSnapshot(snapshotFile, source) : undefined
      state.compacted = read && { of: index, index: read }
    } catch (error) {
      if (!stop.signal.aborted) onFailure(error)
    }
    sections.release()
    state.writing = undefined
    onWritten()
  }
  const isDue = (index: SearchIndex, minChanges: number) => {
    const { memories, vectors, purgedCount } =
      state.written.of === index ? state.written : emptyMark
    const changes = index.seen.memories - memories + (index.seen.vectors - vectors)
    return changes >= minChanges || index.purgedCount > purgedCount
  }
  const takeCompacted = (index: SearchIndex) => {
    const { compacted } = state
    state.compacted = undefined
    if (compacted?.of !== index) return index
    state.written = toMark(compacted.index)
    state.saved = state.written
    return compacted.index
  }
  const holdsPurged = (index: SearchIndex) =>
    state.saved.of !== index || index.purgedCount > state.saved.purgedCount
  const remove = () => {
    try {
      removeSnapshot(snapshotFile)
    } catch (error) {
      onFailure(error)
    }
  }
  return {
    update: (index) => {
      const next = takeCompacted(index)
      const minChanges = Math.max(snapshotAfter, minChangedShare * next.ids.liveCount())
      if (!state.writing && isDue(next, minChanges))
        state.writing = write(next, { reload: needsCompaction(next) })
      return next
    },
    close: async (index) => {
      if (!index) stop.abort()
      const timeoutMs = index && holdsPurged(index) ? purgeTimeoutMs : closeTimeoutMs
      const timeout = setTimeout(() => stop.abort(), timeoutMs)
      await state.writing
      if (index && !stop.signal.aborted && isDue(index, snapshotAfter))
        await write(index, { reload: false })
      clearTimeout(timeout)
      stop.abort()
      if (!index || holdsPurged(index)) remove()
    },
  }
}

/** What a snapshot holds of an index; of another index, which is begun anew, it holds nothing. */
interface SnapshotMark {
  readonly of: SearchIndex
  readonly memories: number
  readonly vectors: number
  readonly purgedCount: number
}

const emptyMark = { memories: 0, vectors: 0, purgedCount: 0 }

function toMark(index: SearchIndex): SnapshotMark {
  return { of: index, ...index.seen, purgedCount: index.purgedCount }
}
