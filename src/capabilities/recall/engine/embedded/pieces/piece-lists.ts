import { createGrowing, type Growing, reserve } from '../growing.ts'

/** The word pieces of each slot's text, each once, and how many there are with repetitions. */
export interface PieceLists {
  /** Takes the place of what the slot had; nothing takes it away. */
  put(slot: number, pieces: readonly number[]): void
  of(slot: number): Uint32Array
  lengthOf(slot: number): number
  /** In how many texts a piece is, and how many texts there are. */
  holding(piece: number): number
  count(): number
  averageLength(): number
}

interface Lists {
  /** By slot: where its pieces are, how many distinct ones, how many in all. */
  readonly start: Growing<Uint32Array>
  readonly used: Growing<Uint32Array>
  readonly lengths: Growing<Uint32Array>
  readonly arena: Growing<Uint32Array>
  /** By piece: how many texts hold it. */
  readonly texts: Growing<Uint32Array>
  count: number
  totalLength: number
}

export function createPieceLists(): PieceLists {
  const integers = () => createGrowing((length) => new Uint32Array(length))
  const lists: Lists = {
    ...{ start: integers(), used: integers(), lengths: integers() },
    ...{ arena: integers(), texts: integers(), count: 0, totalLength: 0 },
  }
  return {
    put: (slot, pieces) => {
      extend([lists.start, lists.used, lists.lengths], slot + 1)
      takeAway(lists, slot)
      write(lists, slot, pieces)
    },
    of: (slot) => piecesOf(lists, slot),
    lengthOf: (slot) => lists.lengths.values[slot] ?? 0,
    holding: (piece) => lists.texts.values[piece] ?? 0,
    count: () => lists.count,
    averageLength: () => (lists.count === 0 ? 1 : lists.totalLength / lists.count),
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

/** What is not longer than before is written where that was. */
function write(lists: Lists, slot: number, pieces: readonly number[]): void {
  const { start, used, lengths, arena, texts } = lists
  const distinct = [...new Set(pieces)]
  if (distinct.length > (used.values[slot] ?? 0)) {
    start.values[slot] = arena.length
    extend([arena], arena.length + distinct.length)
  }
  arena.values.set(distinct, start.values[slot] ?? 0)
  used.values[slot] = distinct.length
  lengths.values[slot] = pieces.length
  for (const piece of distinct) {
    extend([texts], piece + 1)
    texts.values[piece] = (texts.values[piece] ?? 0) + 1
  }
  lists.count += pieces.length > 0 ? 1 : 0
  lists.totalLength += pieces.length
}

function piecesOf({ start, used, arena }: Lists, slot: number): Uint32Array {
  const from = start.values[slot] ?? 0
  return arena.values.subarray(from, from + (used.values[slot] ?? 0))
}

function extend(columns: readonly Growing<Uint32Array>[], length: number): void {
  for (const column of columns) {
    reserve(column, length - column.length)
    column.length = Math.max(column.length, length)
  }
}
