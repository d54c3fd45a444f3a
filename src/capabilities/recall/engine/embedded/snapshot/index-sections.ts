import {
  type Columns,
  createColumns,
  numberColumns,
  perColumn,
  type WordColumn,
  wordColumns,
} from '../columns/columns.ts'
import { createDictionary, type Dictionary } from '../columns/dictionary.ts'
import { giveBack, take } from '../growing.ts'
import { createSearchIndex, type SearchIndex } from '../index/search-index.ts'
import { createPieceLists, type DumpedPieces } from '../postings/piece-lists.ts'
import { createPostings, type DumpedTexts, type KeptTexts } from '../postings/postings.ts'
import { none } from '../vectors/rows.ts'
import { createVectorSpace, type DumpedVectors, type KeptVectors } from '../vectors/vector-space.ts'
import {
  type KeptSections,
  type Numbers,
  type Section,
  type Sections,
  toStringPieces,
} from './sections.ts'

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
  const slots = listSlots(index)
  const { columns } = index
  const spaces = [...index.spaces].map(([identity, { dims, dump }]) => ({
    ...{ identity, dims, kept: dump() },
  }))
  const now: Now = {
    ...{ slots, ids: index.ids.slice() },
    words: perColumn((column) => ({
      codes: columns.codes[column].values.slice(0, index.ids.length),
      dictionary: columns.dictionaries[column].words,
      words: [null],
    })),
    numbers: numberColumns.map((name) => ({
      ...{ name, values: columns[name].values.slice(0, index.ids.length) },
    })),
    texts: { words: index.words.dump(slots), hints: index.hints.dump(slots) },
    ...{ pieces: index.pieces.dump(slots), spaces },
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
      for (const { values } of now.numbers) giveBack(values)
      for (const column of wordColumns) giveBack(now.words[column].codes)
    },
  }
}

/** Copies, and what is only ever added to: the rest is made of them a piece at a time. */
interface Now {
  readonly slots: Int32Array
  readonly ids: readonly (string | undefined)[]
  readonly words: Readonly<Record<WordColumn, Coded>>
  readonly numbers: readonly { readonly name: string; readonly values: Numbers }[]
  readonly texts: Readonly<Record<string, DumpedTexts>>
  readonly pieces: DumpedPieces
  readonly spaces: readonly { readonly identity: string; readonly kept: DumpedVectors }[]
}

interface Coded {
  readonly codes: Int32Array
  readonly dictionary: readonly (string | null)[]
  /** Those that some slot has. */
  readonly words: (string | null)[]
}

function* listSections({ slots, ...now }: Now): Generator<Section> {
  const ids = now.ids.filter((id) => id !== undefined)
  yield { name: 'ids', pieces: toStringPieces(ids) }
  for (const column of wordColumns) {
    const codes = pick(now.words[column].codes, slots)
    renumberWords(now.words[column], codes)
    yield { name: column, pieces: [codes] }
  }
  for (const { name, values } of now.numbers) yield { name, pieces: [pick(values, slots)] }
  for (const [name, texts] of Object.entries(now.texts)) yield* listTexts(name, texts)
  const { lengths, distinct, texts, pieces } = now.pieces
  for (const [part, values] of Object.entries({ lengths, distinct, texts }))
    yield { name: `pieces ${part}`, pieces: [values] }
  yield { name: 'pieces pieces', pieces }
  const renumbered = new Int32Array(now.ids.length).fill(-1)
  for (let at = 0; at < slots.length; at++) renumbered[slots[at] as number] = at
  for (const { identity, kept } of now.spaces) yield* listVectors(identity, kept, renumbered)
}

function* listTexts(name: string, texts: DumpedTexts): Generator<Section> {
  const { lengths, distinct, codes, counts, terms } = texts
  yield { name: `${name} lengths`, pieces: [lengths] }
  yield { name: `${name} distinct`, pieces: [distinct] }
  yield { name: `${name} codes`, pieces: codes }
  yield { name: `${name} counts`, pieces: counts }
  yield { name: `${name} terms`, pieces: toStringPieces(terms) }
}

function* listVectors(
  identity: string,
  { slots, passages, blocks }: DumpedVectors,
  renumbered: Int32Array,
): Generator<Section> {
  const numbers = slots.map((slot) => renumbered[slot] ?? none)
  yield { name: `${identity} slots`, pieces: [numbers] }
  yield { name: `${identity} passages`, pieces: [passages] }
  for (let block = 0; block < blocks.count; block++) {
    const { scanned, rests } = blocks.take(block)
    yield { name: `${identity} block ${block}`, pieces: [scanned, rests] }
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
    pieces: createPieceLists({
      lengths: sections.readNumbers('pieces lengths', Uint32Array),
      distinct: sections.readNumbers('pieces distinct', Uint32Array),
      pieces: sections.readNumbers('pieces pieces', Uint16Array),
      texts: sections.readNumbers('pieces texts', Uint32Array),
    }),
    spaces: new Map(spaces),
    ids: sections.readStrings('ids'),
    seen: { ...about.seen },
  })
}

/** Those that hold a memory, in their order. */
function listSlots({ ids, slots }: SearchIndex): Int32Array {
  const held = new Int32Array(slots.size)
  let count = 0
  for (let slot = 0; slot < ids.length; slot++) if (ids[slot] !== undefined) held[count++] = slot
  return held
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
  const columns = { ...createColumns(), dictionaries: perColumn(known) }
  for (const column of wordColumns)
    take(columns.codes[column], sections.readNumbers(column, Int32Array))
  for (const column of ['flags', 'visibility', 'traits'] as const)
    take(columns[column], sections.readNumbers(column, Uint8Array))
  take(columns.words, sections.readNumbers('words', Uint32Array))
  for (const column of ['importance', 'createdAt', 'supersededAt'] as const)
    take(columns[column], sections.readNumbers(column, Float64Array))
  return columns
}

function toTexts(sections: KeptSections, name: string): KeptTexts {
  return {
    terms: sections.readStrings(`${name} terms`),
    lengths: sections.readNumbers(`${name} lengths`, Uint32Array),
    distinct: sections.readNumbers(`${name} distinct`, Uint32Array),
    codes: sections.readNumbers(`${name} codes`, Uint32Array),
    counts: sections.readNumbers(`${name} counts`, Uint8Array),
  }
}

function toVectors(sections: KeptSections, identity: string): KeptVectors {
  return {
    slots: sections.readNumbers(`${identity} slots`, Int32Array),
    passages: sections.readNumbers(`${identity} passages`, Int32Array),
    fill: (block, { scanned, rests }) =>
      sections.fill(`${identity} block ${block}`, [scanned, rests]),
  }
}
