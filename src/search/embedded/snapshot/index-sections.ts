import {
  type Columns,
  createColumns,
  createDictionary,
  type Dictionary,
  numberColumns,
  perColumn,
  type WordColumn,
  wordColumns,
} from '../columns/columns.ts'
import { adopt, type Numbers, releaseMemory } from '../growable-array.ts'
import { createSlotIds, type SlotIds } from '../index/ids.ts'
import { createSearchIndex, type SearchIndex } from '../index/search-index.ts'
import { createPostings } from '../postings/postings.ts'
import type { PostingsDump, SerializedPostings } from '../postings/serialized-postings.ts'
import { createTokenLists, type TokensDump } from '../postings/token-lists.ts'
import type { SerializedStrings, StringsDump } from '../string-table.ts'
import { none } from '../vectors/rows.ts'
import { createVectorSpace, type DumpedVectors, type KeptVectors } from '../vectors/vector-space.ts'
import type { KeptSections, Section, Sections } from './sections.ts'

/** What is neither a number nor one of many strings. */
interface About {
  readonly words: Readonly<Record<string, readonly (string | null)[]>>
  readonly spaces: readonly { readonly identity: string; readonly dims: number }[]
  readonly seen: { readonly memories: number; readonly vectors: number }
  /** Which database it is of, in its own words. */
  readonly source: string
}

/** An index as it was at one moment, told later. */
export interface IndexSections extends Sections {
  /** Lets go of what is kept of that moment. */
  end(): void
}

/** The index as it is now, without what has gone from it: slots are numbered anew. */
export function toSections(index: SearchIndex, source: string): IndexSections {
  const { columns, ids } = index
  const slots = ids.list()
  const spaces = [...index.spaces].map(([identity, { dims, dump }]) => ({
    ...{ identity, dims, kept: dump() },
  }))
  const now: Now = {
    ...{ slots, ids, count: ids.slots() },
    words: perColumn((column) => ({
      codes: columns.codes[column].values.slice(0, ids.slots()),
      dictionary: columns.dictionaries[column].words,
      words: [null],
    })),
    numbers: numberColumns.map((name) => ({
      ...{ name, values: columns[name].values.slice(0, ids.slots()) },
    })),
    texts: { words: index.words.dump(slots), hints: index.hints.dump(slots) },
    ...{ pieces: index.tokens.dump(slots), spaces },
  }
  const about: Omit<About, 'words'> = {
    spaces: spaces.map(({ identity, dims }) => ({ identity, dims })),
    ...{ source, seen: { ...index.seen } },
  }
  return {
    list: listSections(now),
    about: () => ({ ...about, words: perColumn((column) => now.words[column].words) }),
    end: () => {
      for (const { kept } of spaces) kept.blocks.end()
      for (const texts of Object.values(now.texts)) texts.end()
      for (const { values } of now.numbers) releaseMemory(values)
      for (const column of wordColumns) releaseMemory(now.words[column].codes)
    },
  }
}

/** Copies, and what is only ever added to: the rest is made of them a piece at a time. */
interface Now {
  readonly slots: Int32Array
  readonly ids: SlotIds
  /** Of all slots. */
  readonly count: number
  readonly words: Readonly<Record<WordColumn, Coded>>
  readonly numbers: readonly { readonly name: string; readonly values: Numbers }[]
  readonly texts: Readonly<Record<string, PostingsDump>>
  readonly pieces: TokensDump
  readonly spaces: readonly { readonly identity: string; readonly kept: DumpedVectors }[]
}

interface Coded {
  readonly codes: Int32Array
  readonly dictionary: readonly (string | null)[]
  /** Those that some slot has. */
  readonly words: (string | null)[]
}

function* listSections({ slots, ...now }: Now): Generator<Section> {
  yield* listStrings('ids', now.ids.dump(slots))
  for (const column of wordColumns) {
    const codes = pick(now.words[column].codes, slots)
    renumberWords(now.words[column], codes)
    yield { name: column, pieces: [codes] }
  }
  for (const { name, values } of now.numbers) yield { name, pieces: [pick(values, slots)] }
  for (const [name, texts] of Object.entries(now.texts)) yield* listTexts(name, texts)
  const { lengths, distinct, texts, tokens } = now.pieces
  for (const [part, values] of Object.entries({ lengths, distinct, texts }))
    yield { name: `pieces ${part}`, pieces: [values] }
  yield { name: 'pieces pieces', pieces: tokens }
  const renumbered = new Int32Array(now.count).fill(-1)
  for (let at = 0; at < slots.length; at++) renumbered[slots[at] as number] = at
  for (const { identity, kept } of now.spaces) yield* listVectors(identity, kept, renumbered)
}

function* listTexts(name: string, { terms, ...texts }: PostingsDump): Generator<Section> {
  const { lengths, distinct, codes, counts, documentFrequency, postings, maxTermFrequency } = texts
  yield { name: `${name} lengths`, pieces: [lengths] }
  yield { name: `${name} distinct`, pieces: [distinct] }
  yield { name: `${name} codes`, pieces: codes }
  yield { name: `${name} counts`, pieces: counts }
  yield { name: `${name} living`, pieces: [documentFrequency] }
  yield { name: `${name} postings`, pieces: postings }
  yield { name: `${name} most`, pieces: [maxTermFrequency] }
  yield* listStrings(`${name} terms`, terms())
}

function* listStrings(name: string, { ends, bytes }: StringsDump): Generator<Section> {
  yield { name: `${name} ends`, pieces: [ends] }
  yield { name: `${name} bytes`, pieces: bytes }
}

function* listVectors(
  identity: string,
  { slots, passages, centre, blocks }: DumpedVectors,
  renumbered: Int32Array,
): Generator<Section> {
  const numbers = slots.map((slot) => renumbered[slot] ?? none)
  yield { name: `${identity} slots`, pieces: [numbers] }
  yield { name: `${identity} passages`, pieces: [passages] }
  yield { name: `${identity} centre`, pieces: [centre] }
  for (let block = 0; block < blocks.count; block++) {
    yield { name: `${identity} block ${block}`, pieces: [blocks.take(block)] }
  }
}

/** Undefined for what is of another database. */
export function fromSections(sections: KeptSections, source: string): SearchIndex | undefined {
  const about = sections.about as About
  if (about.source !== source) return undefined
  const spaces = about.spaces.map(({ identity, dims }) => {
    const space = createVectorSpace(dims, toVectors(sections, identity))
    return [identity, space] as const
  })
  return createSearchIndex({
    columns: restoreColumns(about, sections),
    words: createPostings(toTexts(sections, 'words')),
    hints: createPostings(toTexts(sections, 'hints')),
    tokens: createTokenLists({
      lengths: sections.readNumbers('pieces lengths', Uint32Array),
      distinct: sections.readNumbers('pieces distinct', Uint32Array),
      tokens: sections.readNumbers('pieces pieces', Uint16Array),
      texts: sections.readNumbers('pieces texts', Uint32Array),
    }),
    spaces: new Map(spaces),
    ids: createSlotIds(toStrings(sections, 'ids')),
    seen: { ...about.seen },
  })
}

function pick<Values extends Numbers>(values: Values, slots: Int32Array): Values {
  if (slots.length === values.length) return values
  const picked = values.slice(0, slots.length) as Values
  for (let at = 0; at < slots.length; at++) picked[at] = values[slots[at] as number] as number
  return picked
}

/** Words that no slot has any more are left behind. */
function renumberWords({ dictionary, words }: Coded, codes: Int32Array): void {
  // The absence of a word is numbered 0 here and there.
  const renumbered = new Int32Array(dictionary.length)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number
    if (code !== 0 && renumbered[code] === 0)
      renumbered[code] = words.push(dictionary[code] ?? null) - 1
    codes[at] = renumbered[code] as number
  }
}

function restoreColumns({ words }: About, sections: KeptSections): Columns {
  const known = (column: string): Dictionary =>
    createDictionary((words[column] ?? []).filter((word) => word !== null))
  const columns = createColumns(perColumn(known))
  for (const column of wordColumns)
    adopt(columns.codes[column], sections.readNumbers(column, Int32Array))
  for (const column of ['flags', 'visibility', 'traits'] as const)
    adopt(columns[column], sections.readNumbers(column, Uint8Array))
  for (const column of ['words', 'contentHash'] as const)
    adopt(columns[column], sections.readNumbers(column, Uint32Array))
  for (const column of ['importance', 'createdAt', 'supersededAt'] as const)
    adopt(columns[column], sections.readNumbers(column, Float64Array))
  return columns
}

function toTexts(sections: KeptSections, name: string): SerializedPostings {
  return {
    terms: toStrings(sections, `${name} terms`),
    lengths: sections.readNumbers(`${name} lengths`, Uint32Array),
    distinct: sections.readNumbers(`${name} distinct`, Uint32Array),
    codes: sections.readNumbers(`${name} codes`, Uint32Array),
    counts: sections.readNumbers(`${name} counts`, Uint8Array),
    documentFrequency: sections.readNumbers(`${name} living`, Uint32Array),
    maxTermFrequency: sections.readNumbers(`${name} most`, Uint8Array),
    postings: sections.readNumbers(`${name} postings`, Uint32Array),
  }
}

function toStrings(sections: KeptSections, name: string): SerializedStrings {
  return {
    ends: sections.readNumbers(`${name} ends`, Uint32Array),
    bytes: sections.readNumbers(`${name} bytes`, Uint8Array),
  }
}

function toVectors(sections: KeptSections, identity: string): KeptVectors {
  return {
    slots: sections.readNumbers(`${identity} slots`, Int32Array),
    passages: sections.readNumbers(`${identity} passages`, Int32Array),
    centre: sections.readNumbers(`${identity} centre`, Float32Array),
    fill: (block, into) => sections.fill(`${identity} block ${block}`, [into]),
  }
}
