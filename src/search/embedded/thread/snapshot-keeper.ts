import type { SearchThreadOptions } from '../embedded-engine.ts'
import { needsCompaction, type SearchIndex } from '../index/search-index.ts'
import { toSections } from '../snapshot/index-sections.ts'
import { readSnapshot, removeSnapshot, writeSnapshot } from '../snapshot/snapshot-file.ts'

/** So few rows are read from the database in less time than a snapshot takes. */
const usualLeast = 2000
/** Of what is indexed: so much more has to be read after a crash. */
const share = 0.25
/** Whoever stops the service does not wait longer: what is not written by then is read anew. */
const closingMs = 1000
/** When something is gone for good: without another snapshot there would be none at all. */
const closingGoneMs = 5000

export interface SnapshotKeeper {
  /**
   * Begins a snapshot when much has changed since the last, or something is gone for good; one at a
   * time, a piece at a time. Gives the index to go on with: of one that was crowded by what answers
   * no more, what was written is read anew, and what has changed since then is still to be read.
   */
  keep(index: SearchIndex): SearchIndex
  /**
   * Writes what has changed, if that is soon done, and nothing from then on. No file stays that may
   * hold what is gone for good; nobody knows what is, when there is no index that has read all.
   */
  close(index: SearchIndex | undefined): Promise<void>
}

type SnapshotOptions = Pick<SearchThreadOptions, 'snapshotFile' | 'snapshotAfter'> & {
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
  written: Mark
  /** What is in the file. */
  held: Mark
  writing?: Promise<void> | undefined
  /** An index read anew, and the one whose place it takes. */
  fresh?: { readonly of: SearchIndex; readonly index: SearchIndex } | undefined
}

export function createSnapshotKeeper(
  { snapshotFile, snapshotAfter = usualLeast, source, index }: SnapshotOptions,
  { onFailure, onWritten }: Listeners,
): SnapshotKeeper {
  const stop = new AbortController()
  const state: State = { written: toMark(index), held: toMark(index) }
  const write = async (index: SearchIndex, { readAnew }: { readonly readAnew: boolean }) => {
    const sections = toSections(index, source)
    const mark = toMark(index)
    state.written = mark
    try {
      await writeSnapshot(snapshotFile, sections, stop.signal)
      state.held = mark
      const read = readAnew ? readSnapshot(snapshotFile, source) : undefined
      state.fresh = read && { of: index, index: read }
    } catch (error) {
      if (!stop.signal.aborted) onFailure(error)
    }
    sections.end()
    state.writing = undefined
    onWritten()
  }
  const isDue = (index: SearchIndex, changed: number) => {
    const { memories, vectors, gone } = state.written.of === index ? state.written : nothing
    const changes = index.seen.memories - memories + (index.seen.vectors - vectors)
    return changes >= changed || index.purgedCount > gone
  }
  const takeFresh = (index: SearchIndex) => {
    const { fresh } = state
    state.fresh = undefined
    if (fresh?.of !== index) return index
    state.written = toMark(fresh.index)
    state.held = state.written
    return fresh.index
  }
  const holdsGone = (index: SearchIndex) =>
    state.held.of !== index || index.purgedCount > state.held.gone
  const remove = () => {
    try {
      removeSnapshot(snapshotFile)
    } catch (error) {
      onFailure(error)
    }
  }
  return {
    keep: (index) => {
      const next = takeFresh(index)
      const enough = Math.max(snapshotAfter, share * next.ids.liveCount())
      if (!state.writing && isDue(next, enough))
        state.writing = write(next, { readAnew: needsCompaction(next) })
      return next
    },
    close: async (index) => {
      if (!index) stop.abort()
      const withinMs = index && holdsGone(index) ? closingGoneMs : closingMs
      const tooLong = setTimeout(() => stop.abort(), withinMs)
      await state.writing
      if (index && !stop.signal.aborted && isDue(index, snapshotAfter))
        await write(index, { readAnew: false })
      clearTimeout(tooLong)
      stop.abort()
      if (!index || holdsGone(index)) remove()
    },
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
  return { of: index, ...index.seen, gone: index.purgedCount }
}
