import type { TokenStatistics } from '../../tokens/soft-match.ts'
import {
  adopt,
  createGrowableArray,
  extend,
  type GrowableArray,
  gather,
  pick,
} from '../growable-array.ts'

/** Word-piece tokens by slot. Token ids have 16 bits. */
export interface TokenLists extends TokenStatistics {
  /** Replaces the tokens of a slot. */
  put(slot: number, tokens: readonly number[]): void
  /** Copies the tokens of the given slots, renumbered from 0. */
  dump(slots: Int32Array): TokensDump
}

/** Parts are generated on demand. */
export interface TokensDump extends Pick<SerializedTokens, 'lengths' | 'distinct' | 'texts'> {
  readonly tokens: Iterable<Uint16Array>
}

/** By text: number of tokens, number of distinct tokens, and the distinct tokens. */
export interface SerializedTokens {
  readonly lengths: Uint32Array
  readonly distinct: Uint32Array
  readonly tokens: Uint16Array
  /** Document frequency by token. */
  readonly texts: Uint32Array
}

interface ListsState {
  /** By slot: offset of its distinct tokens, their number, and the number of all tokens. */
  readonly start: GrowableArray<Uint32Array>
  readonly used: GrowableArray<Uint32Array>
  readonly lengths: GrowableArray<Uint32Array>
  readonly arena: GrowableArray<Uint16Array>
  /** Document frequency by token. */
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

/**
 * Unchanged lists stay in place; changed ones are appended, because a snapshot may be reading the
 * old ones.
 */
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

/** The arena is append-only, so that it can be read later. */
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
      valueAt: (offset) => lists.arena.values[offset] as number,
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
