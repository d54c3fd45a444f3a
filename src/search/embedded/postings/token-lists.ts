import type { TokenStatistics } from '../../tokens/soft-match.ts'
import {
  adopt,
  createGrowableArray,
  extend,
  type GrowableArray,
  gather,
  pick,
} from '../growable-array.ts'

/** The word pieces of each slot's text: a model knows no more than 65,536. */
export interface TokenLists extends TokenStatistics {
  /** Takes the place of what the slot had; nothing takes it away. */
  put(slot: number, tokens: readonly number[]): void
  /** The texts of these slots as they are now, as slots from 0 on: of all that have one. */
  dump(slots: Int32Array): TokensDump
}

/** Made as it is asked for. */
export interface TokensDump extends Pick<SerializedTokens, 'lengths' | 'distinct' | 'texts'> {
  readonly tokens: Iterable<Uint16Array>
}

/** Texts one after another: how many pieces each has, how many distinct ones, and which. */
export interface SerializedTokens {
  readonly lengths: Uint32Array
  readonly distinct: Uint32Array
  readonly tokens: Uint16Array
  /** By piece: how many of the texts hold it. */
  readonly texts: Uint32Array
}

interface ListsState {
  /** By slot: where its pieces are, how many distinct ones, how many in all. */
  readonly start: GrowableArray<Uint32Array>
  readonly used: GrowableArray<Uint32Array>
  readonly lengths: GrowableArray<Uint32Array>
  readonly arena: GrowableArray<Uint16Array>
  /** By piece: how many texts hold it. */
  readonly texts: GrowableArray<Uint32Array>
  count: number
  totalLength: number
}

export function createTokenLists(serialized?: SerializedTokens): TokenLists {
  const integers = () => createGrowableArray((length) => new Uint32Array(length))
  const lists: ListsState = {
    start: integers(),
    used: integers(),
    lengths: integers(),
    texts: integers(),
    count: 0,
    totalLength: 0,
    arena: createGrowableArray((length) => new Uint16Array(length)),
  }
  if (serialized) restore(lists, serialized)
  return {
    put: (slot, tokens) => {
      for (const column of [lists.start, lists.used, lists.lengths]) extend(column, slot + 1)
      removeText(lists, slot)
      writeText(lists, slot, tokens)
    },
    of: (slot) => tokensOf(lists, slot),
    lengthOf: (slot) => lists.lengths.values[slot] ?? 0,
    documentFrequency: (token) => lists.texts.values[token] ?? 0,
    count: () => lists.count,
    averageLength: () => (lists.count === 0 ? 1 : lists.totalLength / lists.count),
    dump: (slots) => dump(lists, slots),
  }
}

function removeText(lists: ListsState, slot: number): void {
  const length = lists.lengths.values[slot] ?? 0
  if (length === 0) return
  for (const token of tokensOf(lists, slot))
    lists.texts.values[token] = (lists.texts.values[token] ?? 1) - 1
  lists.count -= 1
  lists.totalLength -= length
}

/** What is the same stays where it is; all else is written behind, as what is there may be being kept. */
function writeText(lists: ListsState, slot: number, tokens: readonly number[]): void {
  const { start, used, lengths, arena, texts } = lists
  const distinct = [...new Set(tokens)]
  if (!isEqual(tokensOf(lists, slot), distinct)) {
    start.values[slot] = arena.length
    extend(arena, arena.length + distinct.length)
    arena.values.set(distinct, start.values[slot])
  }
  used.values[slot] = distinct.length
  lengths.values[slot] = tokens.length
  for (const token of distinct) {
    extend(texts, token + 1)
    texts.values[token] = (texts.values[token] ?? 0) + 1
  }
  lists.count += tokens.length > 0 ? 1 : 0
  lists.totalLength += tokens.length
}

/** What was written is never changed: it can be read later. */
function dump(lists: ListsState, slots: Int32Array): TokensDump {
  const distinct = pick(lists.used.values, slots)
  return {
    distinct,
    lengths: pick(lists.lengths.values, slots),
    texts: lists.texts.values.slice(0, lists.texts.length),
    tokens: gather({
      starts: pick(lists.start.values, slots),
      lengths: distinct,
      make: (length) => new Uint16Array(length),
      valueAt: (place) => lists.arena.values[place] as number,
    }),
  }
}

function restore(lists: ListsState, { lengths, distinct, tokens, texts }: SerializedTokens): void {
  adopt(lists.texts, texts)
  adopt(lists.used, distinct)
  adopt(lists.lengths, lengths)
  adopt(lists.arena, tokens)
  extend(lists.start, lengths.length)
  let at = 0
  for (let slot = 0; slot < lengths.length; slot++) {
    lists.start.values[slot] = at
    at += distinct[slot] as number
    lists.count += lengths[slot] === 0 ? 0 : 1
    lists.totalLength += lengths[slot] as number
  }
}

function isEqual(tokens: Uint16Array, otherTokens: readonly number[]): boolean {
  return (
    tokens.length === otherTokens.length && otherTokens.every((token, at) => token === tokens[at])
  )
}

function tokensOf({ start, used, arena }: ListsState, slot: number): Uint16Array {
  const from = start.values[slot] ?? 0
  return arena.values.subarray(from, from + (used.values[slot] ?? 0))
}
