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
import { noRow } from '../vectors/rows.ts'
import {
  createVectorSpace,
  type SerializedVectors,
  type VectorsDump,
} from '../vectors/vector-space.ts'
import type { Section, SectionReader, Sections } from './sections.ts'

/** Metadata in the header of the file. */
interface Manifest {
  readonly words: Readonly<Record<string, readonly (string | null)[]>>
  readonly spaces: readonly { readonly identity: string; readonly dims: number }[]
  readonly seen: { readonly memories: number; readonly vectors: number }
  /** Identifies the database file. */
  readonly source: string
}

/** A consistent copy of the index, serialized on demand. */
export interface IndexSections extends Sections {
  /** Releases the copies. */
  release(): void
}

/** Copies the index without dead slots: slots are renumbered. */
export function toSections(index: SearchIndex, source: string): IndexSections {
  const { columns, ids } = index
  const slots = ids.list()
  const spaces = [...index.spaces].map(([identity, { dims, dump }]) => ({
    identity,
    dims,
    dump: dump(),
  }))
  const copy: IndexCopy = {
    slots,
    ids,
    count: ids.slots(),
    words: perColumn((column) => ({
      codes: columns.codes[column].values.slice(0, ids.slots()),
      dictionary: columns.dictionaries[column].words,
      words: [null],
    })),
    numbers: numberColumns.map((name) => ({
      name,
      values: columns[name].values.slice(0, ids.slots()),
    })),
    texts: { words: index.words.dump(slots), hints: index.hints.dump(slots) },
    tokens: index.tokens.dump(slots),
    spaces,
  }
  const about: Omit<Manifest, 'words'> = {
    spaces: spaces.map(({ identity, dims }) => ({ identity, dims })),
    source,
    seen: { ...index.seen },
  }
  return {
    list: listSections(copy),
    about: () => ({ ...about, words: perColumn((column) => copy.words[column].words) }),
    release: () => {
      for (const { dump } of spaces) dump.blocks.release()
      for (const texts of Object.values(copy.texts)) texts.release()
      for (const { values } of copy.numbers) releaseMemory(values)
      for (const column of wordColumns) releaseMemory(copy.words[column].codes)
    },
  }
}

/** Copies of mutable arrays, and references to append-only ones. */
interface IndexCopy {
  readonly slots: Int32Array
  readonly ids: SlotIds
  /** The number of all slots. */
  readonly count: number
  readonly words: Readonly<Record<WordColumn, CodedColumn>>
  readonly numbers: readonly { readonly name: string; readonly values: Numbers }[]
  readonly texts: Readonly<Record<string, PostingsDump>>
  readonly tokens: TokensDump
  readonly spaces: readonly { readonly identity: string; readonly dump: VectorsDump }[]
}

interface CodedColumn {
  readonly codes: Int32Array
  readonly dictionary: readonly (string | null)[]
  /** Words that a live slot uses. */
  readonly words: (string | null)[]
}

function* listSections({ slots, ...copy }: IndexCopy): Generator<Section> {
  yield* listStrings('ids', copy.ids.dump(slots))
  for (const column of wordColumns) {
    const codes = pick(copy.words[column].codes, slots)
    renumberWords(copy.words[column], codes)
    yield { name: column, chunks: [codes] }
  }
  for (const { name, values } of copy.numbers) yield { name, chunks: [pick(values, slots)] }
  for (const [name, texts] of Object.entries(copy.texts)) yield* listTexts(name, texts)
  const { lengths, distinct, texts, tokens } = copy.tokens
  for (const [part, values] of Object.entries({ lengths, distinct, texts }))
    yield { name: `pieces ${part}`, chunks: [values] }
  yield { name: 'pieces pieces', chunks: tokens }
  const renumbered = new Int32Array(copy.count).fill(-1)
  for (let at = 0; at < slots.length; at++) renumbered[slots[at] as number] = at
  for (const { identity, dump } of copy.spaces) yield* listVectors(identity, dump, renumbered)
}

function* listTexts(name: string, { terms, ...texts }: PostingsDump): Generator<Section> {
  const { lengths, distinct, codes, counts, documentFrequency, postings, maxTermFrequency } = texts
  yield { name: `${name} lengths`, chunks: [lengths] }
  yield { name: `${name} distinct`, chunks: [distinct] }
  yield { name: `${name} codes`, chunks: codes }
  yield { name: `${name} counts`, chunks: counts }
  yield { name: `${name} living`, chunks: [documentFrequency] }
  yield { name: `${name} postings`, chunks: postings }
  yield { name: `${name} most`, chunks: [maxTermFrequency] }
  yield* listStrings(`${name} terms`, terms())
}

function* listStrings(name: string, { ends, bytes }: StringsDump): Generator<Section> {
  yield { name: `${name} ends`, chunks: [ends] }
  yield { name: `${name} bytes`, chunks: bytes }
}

function* listVectors(
  identity: string,
  { slots, passages, centroid, blocks }: VectorsDump,
  renumbered: Int32Array,
): Generator<Section> {
  const numbers = slots.map((slot) => renumbered[slot] ?? noRow)
  yield { name: `${identity} slots`, chunks: [numbers] }
  yield { name: `${identity} passages`, chunks: [passages] }
  yield { name: `${identity} centre`, chunks: [centroid] }
  for (let block = 0; block < blocks.count; block++) {
    yield { name: `${identity} block ${block}`, chunks: [blocks.read(block)] }
  }
}

/** Returns undefined if the snapshot belongs to another database. */
export function fromSections(sections: SectionReader, source: string): SearchIndex | undefined {
  const about = sections.about as Manifest
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
  const selected = values.slice(0, slots.length) as Values
  for (let at = 0; at < slots.length; at++) selected[at] = values[slots[at] as number] as number
  return selected
}

/** Words without a live slot are dropped. */
function renumberWords({ dictionary, words }: CodedColumn, codes: Int32Array): void {
  // Code 0 stands for null before and after.
  const renumbered = new Int32Array(dictionary.length)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number
    if (code !== 0 && renumbered[code] === 0)
      renumbered[code] = words.push(dictionary[code] ?? null) - 1
    codes[at] = renumbered[code] as number
  }
}

function restoreColumns({ words }: Manifest, sections: SectionReader): Columns {
  const restoreDictionary = (column: string): Dictionary =>
    createDictionary((words[column] ?? []).filter((word) => word !== null))
  const columns = createColumns(perColumn(restoreDictionary))
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

function toTexts(sections: SectionReader, name: string): SerializedPostings {
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

function toStrings(sections: SectionReader, name: string): SerializedStrings {
  return {
    ends: sections.readNumbers(`${name} ends`, Uint32Array),
    bytes: sections.readNumbers(`${name} bytes`, Uint8Array),
  }
}

function toVectors(sections: SectionReader, identity: string): SerializedVectors {
  return {
    slots: sections.readNumbers(`${identity} slots`, Int32Array),
    passages: sections.readNumbers(`${identity} passages`, Int32Array),
    centroid: sections.readNumbers(`${identity} centre`, Float32Array),
    fill: (block, into) => sections.fill(`${identity} block ${block}`, [into]),
  }
}
