import type { MemoryRow, VectorRow } from '../../feed.ts'
import { readTerms } from '../../text/terms.ts'
import {
  appendFacts,
  type Columns,
  createColumns,
  hasContentHash,
  markDead,
  writeFacts,
} from '../columns/columns.ts'
import { createMasks } from '../columns/filter-mask.ts'
import { createSpeakers, type Speakers } from '../columns/speakers.ts'
import { createPostings, type Postings } from '../postings/postings.ts'
import { createTokenLists, type TokenLists } from '../postings/token-lists.ts'
import { createSpelling, type Spelling } from '../spelling/spelling.ts'
import { createVectorSpace, type VectorSpace } from '../vectors/vector-space.ts'
import { createSlotIds, type SlotIds } from './ids.ts'
import { createSessionNumbers, createSessions, type Sessions } from './sessions.ts'

/** Compaction starts above both limits. */
const minDeadSlots = 1000
const maxDeadRatio = 0.25

/**
 * The in-memory index, by slot. Changed text takes a new slot; the old slot is dead until
 * compaction, which reloads the snapshot.
 */
export interface SearchIndex {
  readonly columns: Columns
  readonly words: Postings
  /** Posting lists of the hints that agents have left for their own memories. */
  readonly hints: Postings
  /** Word-piece tokens of each text; empty for scripts that the model does not know. */
  readonly tokens: TokenLists
  readonly spelling: Spelling
  readonly speakers: Speakers
  readonly sessions: Sessions
  /** Maps a slot to its session number, from its columns. */
  readonly sessionNumber: (slot: number) => number
  readonly oldestFirst: (slot: number, other: number) => number
  readonly spaces: Map<string, VectorSpace>
  readonly ids: SlotIds
  readonly masks: ReturnType<typeof createMasks>
  /** The last revision read from each feed. */
  readonly seen: { memories: number; vectors: number }
  /** Counts erased memories and vector spaces that the last snapshot may still contain. */
  purgedCount: number
}

interface IndexParts {
  readonly columns: Columns
  readonly words: Postings
  readonly hints: Postings
  readonly tokens: TokenLists
  readonly spaces: Map<string, VectorSpace>
  readonly ids: SlotIds
  readonly seen: { memories: number; vectors: number }
}

export function createSearchIndex(parts: IndexParts = createParts()): SearchIndex {
  const { columns, ids } = parts
  const created = (slot: number) => columns.createdAt.values[slot] ?? 0
  const oldestFirst = (slot: number, other: number) =>
    created(slot) - created(other) || ((ids.at(slot) ?? '') < (ids.at(other) ?? '') ? -1 : 1)
  const index: SearchIndex = {
    ...parts,
    spelling: createSpelling(parts.words.vocabulary),
    speakers: createSpeakers(columns),
    sessions: createSessions(oldestFirst),
    sessionNumber: createSessionNumbers(columns),
    oldestFirst,
    masks: createMasks(columns),
    purgedCount: 0,
  }
  for (const slot of ids.list())
    if (columns.codes.session.values[slot] !== 0) assignSession(index, slot)
  return index
}

function createParts(): IndexParts {
  return {
    columns: createColumns(),
    words: createPostings(),
    hints: createPostings(),
    tokens: createTokenLists(),
    spaces: new Map(),
    ids: createSlotIds(),
    seen: { memories: 0, vectors: 0 },
  }
}

/** Whether a memory of the index has another text now: the database may have vectors of it. */
export function isTextChanged({ ids, columns }: SearchIndex, row: MemoryRow): boolean {
  const slot = ids.slotOf(row.id)
  return slot !== undefined && !row.purged && !hasContentHash(columns, slot, row.facts.contentHash)
}

export function upsertMemory(
  index: SearchIndex,
  row: MemoryRow,
  tokenize: (text: string) => readonly number[],
): void {
  index.seen.memories = Math.max(index.seen.memories, row.revision)
  const slot = index.ids.slotOf(row.id)
  if (row.purged) {
    if (slot === undefined) return
    removeSlot(index, slot)
    index.purgedCount += 1
    return
  }
  const words = readTerms(row.content)
  const hints = row.hints.flatMap(readTerms)
  // Vectors of the old text do not describe the new one.
  if (slot !== undefined && isTextChanged(index, row)) dropVectors(index, slot)
  if (
    slot !== undefined &&
    hasTerms(index.words, slot, words) &&
    hasTerms(index.hints, slot, hints)
  ) {
    writeFacts(index.columns, slot, row.facts)
    index.tokens.put(slot, tokenize(row.content))
    assignSession(index, slot)
    return
  }
  const newSlot = appendFacts(index.columns, row.facts)
  if (slot !== undefined) {
    for (const space of index.spaces.values()) space.move(slot, newSlot)
    removeSlot(index, slot)
  }
  index.ids.add(row.id)
  index.words.add(newSlot, words)
  index.hints.add(newSlot, hints)
  index.tokens.put(newSlot, tokenize(row.content))
  assignSession(index, newSlot)
}

function assignSession({ sessions, sessionNumber }: SearchIndex, slot: number): void {
  sessions.assign(slot, sessionNumber(slot))
}

/**
 * Passage 0 precedes the other passages and replaces all earlier ones. Vectors of another text are
 * ignored.
 */
export function upsertVector(index: SearchIndex, row: VectorRow): void {
  index.seen.vectors = Math.max(index.seen.vectors, row.revision)
  const slot = index.ids.slotOf(row.memoryId)
  if (slot === undefined || !hasContentHash(index.columns, slot, row.contentHash)) return
  const { identity, passage, vector } = row
  const space = index.spaces.get(identity) ?? createVectorSpace(vector.length)
  index.spaces.set(identity, space)
  if (vector.length !== space.dims) return
  if (passage === 0) space.drop(slot)
  space.put(slot, passage, vector)
}

/** Drops the vectors of all other models. */
export function retainSpaces(index: SearchIndex, identities: ReadonlySet<string>): void {
  for (const identity of [...index.spaces.keys()]) {
    if (identities.has(identity)) continue
    index.spaces.delete(identity)
    index.purgedCount += 1
  }
}

/** Whether more than 25 % of the slots are dead. */
export function needsCompaction({ ids }: SearchIndex): boolean {
  const deadCount = ids.slots() - ids.liveCount()
  return deadCount >= minDeadSlots && deadCount > maxDeadRatio * ids.slots()
}

/** Counts live memories. */
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
  markDead(index.columns, slot)
  index.words.remove(slot)
  index.hints.remove(slot)
  index.tokens.put(slot, [])
  index.sessions.assign(slot, 0)
  dropVectors(index, slot)
}

function dropVectors({ spaces }: SearchIndex, slot: number): void {
  for (const space of spaces.values()) space.drop(slot)
}

/** Whether the text of a slot has exactly these terms and frequencies, in any order. */
function hasTerms(postings: Postings, slot: number, terms: readonly string[]): boolean {
  if (postings.lengthOf(slot) !== terms.length) return false
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const stored = postings.termsOf(slot)
  return (
    stored.length === counts.size && stored.every(([term, count]) => counts.get(term) === count)
  )
}
