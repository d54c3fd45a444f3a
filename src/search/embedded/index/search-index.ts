import type { MemoryRow, VectorRow } from '../../feed.ts'
import { readTerms } from '../../text/terms.ts'
import {
  appendFacts,
  type Columns,
  createColumns,
  isOfHash,
  retire,
  writeFacts,
} from '../columns/columns.ts'
import { createMasks } from '../columns/filter-mask.ts'
import { createSpeakers, type Speakers } from '../columns/speakers.ts'
import { createPostings, type Postings } from '../postings/postings.ts'
import { createPieceLists, type PieceLists } from '../postings/token-lists.ts'
import { createVectorSpace, type VectorSpace } from '../vectors/vector-space.ts'
import { createIds, type Ids } from './ids.ts'
import { createSessionNumbers, createSessions, type Sessions } from './sessions.ts'

/** Slots that answer no more: so many, and such a share, are borne. */
const fewLeft = 1000
const leftAtMost = 0.25

/**
 * All that is searched, by slot. Other words take a new slot: the old one answers no more, and what
 * it held is let go when the index is written anew, as snapshots are.
 */
export interface SearchIndex {
  readonly columns: Columns
  readonly words: Postings
  /** The words of the hints that a memory's own agent has left for it. */
  readonly hints: Postings
  /** The words by what they mean; of a text that is not read as pieces there are none. */
  readonly pieces: PieceLists
  readonly speakers: Speakers
  readonly sessions: Sessions
  /** The session of a slot by its columns: the number under which `sessions` has it. */
  readonly sessionNumber: (slot: number) => number
  readonly oldestFirst: (slot: number, other: number) => number
  readonly spaces: Map<string, VectorSpace>
  readonly ids: Ids
  readonly masks: ReturnType<typeof createMasks>
  /** The last revisions that were read of each feed. */
  readonly seen: { memories: number; vectors: number }
  /** Counts what has gone for good and may still stand in the last snapshot. */
  gone: number
}

interface Parts {
  readonly columns: Columns
  readonly words: Postings
  readonly hints: Postings
  readonly pieces: PieceLists
  readonly spaces: Map<string, VectorSpace>
  readonly ids: Ids
  readonly seen: { memories: number; vectors: number }
}

export function createSearchIndex(parts: Parts = createParts()): SearchIndex {
  const { columns, ids } = parts
  const created = (slot: number) => columns.createdAt.values[slot] ?? 0
  const oldestFirst = (slot: number, other: number) =>
    created(slot) - created(other) || ((ids.at(slot) ?? '') < (ids.at(other) ?? '') ? -1 : 1)
  const index: SearchIndex = {
    ...parts,
    speakers: createSpeakers(columns),
    sessions: createSessions(oldestFirst),
    sessionNumber: createSessionNumbers(columns),
    oldestFirst,
    masks: createMasks(columns),
    gone: 0,
  }
  for (const slot of ids.list())
    if (columns.codes.session.values[slot] !== 0) placeInSession(index, slot)
  return index
}

function createParts(): Parts {
  return {
    columns: createColumns(),
    words: createPostings(),
    hints: createPostings(),
    pieces: createPieceLists(),
    spaces: new Map(),
    ids: createIds(),
    seen: { memories: 0, vectors: 0 },
  }
}

/** True where vectors that the database has of these words may be lacking: others stood there before. */
export function putMemory(
  index: SearchIndex,
  row: MemoryRow,
  readPieces: (text: string) => readonly number[],
): boolean {
  index.seen.memories = Math.max(index.seen.memories, row.revision)
  const slot = index.ids.slotOf(row.id)
  if (row.purged) {
    if (slot === undefined) return false
    removeSlot(index, slot)
    index.gone += 1
    return false
  }
  const words = readTerms(row.content)
  const hints = row.hints.flatMap(readTerms)
  const isOther = slot !== undefined && !isOfHash(index.columns, slot, row.facts.contentHash)
  // Vectors of other words say nothing of these.
  if (isOther) dropVectors(index, slot)
  if (slot !== undefined && holds(index.words, slot, words) && holds(index.hints, slot, hints)) {
    writeFacts(index.columns, slot, row.facts)
    index.pieces.put(slot, readPieces(row.content))
    placeInSession(index, slot)
    return isOther
  }
  const taken = appendFacts(index.columns, row.facts)
  if (slot !== undefined) {
    for (const space of index.spaces.values()) space.move(slot, taken)
    removeSlot(index, slot)
  }
  index.ids.add(row.id)
  index.words.add(taken, words)
  index.hints.add(taken, hints)
  index.pieces.put(taken, readPieces(row.content))
  placeInSession(index, taken)
  return isOther
}

function placeInSession({ sessions, sessionNumber }: SearchIndex, slot: number): void {
  sessions.place(slot, sessionNumber(slot))
}

/** The whole text comes before its passages, which replace all there were; none of other words. */
export function putVector(index: SearchIndex, row: VectorRow): void {
  index.seen.vectors = Math.max(index.seen.vectors, row.revision)
  const slot = index.ids.slotOf(row.memoryId)
  if (slot === undefined || !isOfHash(index.columns, slot, row.contentHash)) return
  const { identity, passage, vector } = row
  const space = index.spaces.get(identity) ?? createVectorSpace(vector.length)
  index.spaces.set(identity, space)
  if (vector.length !== space.dims) return
  if (passage === 0) space.drop(slot)
  space.put(slot, passage, vector)
}

/** Lets go of the vectors of all other identities. */
export function keepSpaces(index: SearchIndex, identities: ReadonlySet<string>): void {
  for (const identity of [...index.spaces.keys()]) {
    if (identities.has(identity)) continue
    index.spaces.delete(identity)
    index.gone += 1
  }
}

/** Whether more than a quarter of the slots answer no more. */
export function isCrowded({ ids }: SearchIndex): boolean {
  const left = ids.slots() - ids.held()
  return left >= fewLeft && left > leftAtMost * ids.slots()
}

/** Memories that are live. */
export function countRows({ columns, ids }: SearchIndex): number {
  let rows = 0
  for (const slot of ids.list()) rows += (columns.flags.values[slot] ?? 0) & 1
  return rows
}

export function countVectors({ spaces }: SearchIndex): number {
  return [...spaces.values()].reduce((sum, space) => sum + space.rows(), 0)
}

function removeSlot(index: SearchIndex, slot: number): void {
  index.ids.remove(slot)
  retire(index.columns, slot)
  index.words.remove(slot)
  index.hints.remove(slot)
  index.pieces.put(slot, [])
  index.sessions.place(slot, 0)
  dropVectors(index, slot)
}

function dropVectors({ spaces }: SearchIndex, slot: number): void {
  for (const space of spaces.values()) space.drop(slot)
}

/** Whether a slot's text has these terms, as often and no others; their order is not kept. */
function holds(postings: Postings, slot: number, terms: readonly string[]): boolean {
  if (postings.lengthOf(slot) !== terms.length) return false
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const held = postings.termsOf(slot)
  return held.length === counts.size && held.every(([term, count]) => counts.get(term) === count)
}
