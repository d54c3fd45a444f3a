import type { PieceCounts } from '../../tokens/soft-match.ts'
import { createGrowing, extend, type Growing, gather, pick, take } from '../growable-array.ts'

/** The word pieces of each slot's text: a model knows no more than 65,536. */
export interface PieceLists extends PieceCounts {
  /** Takes the place of what the slot had; nothing takes it away. */
  put(slot: number, pieces: readonly number[]): void
  /** The texts of these slots as they are now, as slots from 0 on: of all that have one. */
  dump(slots: Int32Array): DumpedPieces
}

/** Made as it is asked for. */
export interface DumpedPieces extends Pick<KeptPieces, 'lengths' | 'distinct' | 'texts'> {
  readonly pieces: Iterable<Uint16Array>
}

/** Texts one after another: how many pieces each has, how many distinct ones, and which. */
export interface KeptPieces {
  readonly lengths: Uint32Array
  readonly distinct: Uint32Array
  readonly pieces: Uint16Array
  /** By piece: how many of the texts hold it. */
  readonly texts: Uint32Array
}

interface Lists {
  /** By slot: where its pieces are, how many distinct ones, how many in all. */
  readonly start: Growing<Uint32Array>
  readonly used: Growing<Uint32Array>
  readonly lengths: Growing<Uint32Array>
  readonly arena: Growing<Uint16Array>
  /** By piece: how many texts hold it. */
  readonly texts: Growing<Uint32Array>
  count: number
  totalLength: number
}

export function createPieceLists(kept?: KeptPieces): PieceLists {
  const integers = () => createGrowing((length) => new Uint32Array(length))
  const lists: Lists = {
    ...{ start: integers(), used: integers(), lengths: integers() },
    ...{ texts: integers(), count: 0, totalLength: 0 },
    arena: createGrowing((length) => new Uint16Array(length)),
  }
  if (kept) restore(lists, kept)
  return {
    put: (slot, pieces) => {
      for (const column of [lists.start, lists.used, lists.lengths]) extend(column, slot + 1)
      takeAway(lists, slot)
      write(lists, slot, pieces)
    },
    of: (slot) => piecesOf(lists, slot),
    lengthOf: (slot) => lists.lengths.values[slot] ?? 0,
    holding: (piece) => lists.texts.values[piece] ?? 0,
    count: () => lists.count,
    averageLength: () => (lists.count === 0 ? 1 : lists.totalLength / lists.count),
    dump: (slots) => dump(lists, slots),
  }
}

function takeAway(lists: Lists, slot: number): void {
  const length = lists.lengths.values[slot] ?? 0
  if (length === 0) return
  for (const piece of piecesOf(lists, slot))
    lists.texts.values[piece] = (lists.texts.values[piece] ?? 1) - 1
  lists.count -= 1
  lists.totalLength -= length
}

/** What is the same stays where it is; all else is written behind, as what is there may be being kept. */
function write(lists: Lists, slot: number, pieces: readonly number[]): void {
  const { start, used, lengths, arena, texts } = lists
  const distinct = [...new Set(pieces)]
  if (!isSame(piecesOf(lists, slot), distinct)) {
    start.values[slot] = arena.length
    extend(arena, arena.length + distinct.length)
    arena.values.set(distinct, start.values[slot])
  }
  used.values[slot] = distinct.length
  lengths.values[slot] = pieces.length
  for (const piece of distinct) {
    extend(texts, piece + 1)
    texts.values[piece] = (texts.values[piece] ?? 0) + 1
  }
  lists.count += pieces.length > 0 ? 1 : 0
  lists.totalLength += pieces.length
}

/** What was written is never changed: it can be read later. */
function dump(lists: Lists, slots: Int32Array): DumpedPieces {
  const distinct = pick(lists.used.values, slots)
  return {
    ...{ distinct, lengths: pick(lists.lengths.values, slots) },
    texts: lists.texts.values.slice(0, lists.texts.length),
    pieces: gather({
      ...{ starts: pick(lists.start.values, slots), lengths: distinct },
      make: (length) => new Uint16Array(length),
      valueAt: (place) => lists.arena.values[place] as number,
    }),
  }
}

function restore(lists: Lists, { lengths, distinct, pieces, texts }: KeptPieces): void {
  take(lists.texts, texts)
  take(lists.used, distinct)
  take(lists.lengths, lengths)
  take(lists.arena, pieces)
  extend(lists.start, lengths.length)
  let at = 0
  for (let slot = 0; slot < lengths.length; slot++) {
    lists.start.values[slot] = at
    at += distinct[slot] as number
    lists.count += lengths[slot] === 0 ? 0 : 1
    lists.totalLength += lengths[slot] as number
  }
}

function isSame(pieces: Uint16Array, others: readonly number[]): boolean {
  return pieces.length === others.length && others.every((piece, at) => piece === pieces[at])
}

function piecesOf({ start, used, arena }: Lists, slot: number): Uint16Array {
  const from = start.values[slot] ?? 0
  return arena.values.subarray(from, from + (used.values[slot] ?? 0))
}
