import { needsCompaction, type SearchIndex } from '../index/search-index.ts'
import { toSections } from '../snapshot/index-sections.ts'
import { readSnapshot, removeSnapshot, writeSnapshot } from '../snapshot/snapshot-file.ts'

/** Reading this many rows takes less time than a snapshot. */
const defaultMinChanges = 2000
/** Share of the index that may have to be read again after a crash. */
const minChangedShare = 0.25
/** Maximum wait at shutdown. What is not written by then is read again. */
const closeTimeoutMs = 1000
/** Maximum wait at shutdown if the file contains erased data and must be replaced or deleted. */
const purgeTimeoutMs = 5000

export interface SnapshotScheduler {
  /**
   * Starts a snapshot when enough has changed or data was erased; one at a time, in chunks. Returns
   * the index to continue with: after compaction, the one reloaded from the snapshot.
   */
  update(index: SearchIndex): SearchIndex
  /**
   * Writes pending changes within a time limit. Deletes the file if it may contain erased data, or
   * if the index is not up to date.
   */
  close(index: SearchIndex | undefined): Promise<void>
}

interface SnapshotOptions {
  readonly snapshotFile: string
  readonly snapshotAfter?: number | undefined
  readonly source: string
  /** The current index; a snapshot of it exists unless it is empty. */
  readonly index: SearchIndex
}

interface Listeners {
  /** A failed snapshot is logged; the index works without it. */
  readonly onFailure: (error: unknown) => void
  /** Called after each snapshot: new changes or a compacted index may be waiting. */
  readonly onWritten: () => void
}

interface State {
  /** The state of the latest snapshot, possibly in progress. */
  latest: SnapshotMark
  /** The state in the file. */
  saved: SnapshotMark
  writing?: Promise<void> | undefined
  /** The reloaded index, and the one that it replaces. */
  compacted?: { readonly of: SearchIndex; readonly index: SearchIndex } | undefined
}

export function createSnapshotScheduler(
  { snapshotFile, snapshotAfter = defaultMinChanges, source, index }: SnapshotOptions,
  { onFailure, onWritten }: Listeners,
): SnapshotScheduler {
  const stop = new AbortController()
  const state: State = { latest: toMark(index), saved: toMark(index) }
  const write = async (index: SearchIndex, { reload }: { readonly reload: boolean }) => {
    const sections = toSections(index, source)
    const mark = toMark(index)
    state.latest = mark
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
    const { memories, vectors, purgedCount } = state.latest.of === index ? state.latest : emptyMark
    const changes = index.seen.memories - memories + (index.seen.vectors - vectors)
    return changes >= minChanges || index.purgedCount > purgedCount
  }
  const takeCompacted = (index: SearchIndex) => {
    const { compacted } = state
    state.compacted = undefined
    if (compacted?.of !== index) return index
    state.latest = toMark(compacted.index)
    state.saved = state.latest
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

/** The revisions that a snapshot of an index contains; none of another index. */
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
