import {
  type Columns,
  createColumns,
  numberColumns,
  perColumn,
  type WordColumn,
  wordColumns,
} from '../columns/columns.ts'
import { createDictionary, type Dictionary } from '../columns/dictionary.ts'
import { take } from '../growing.ts'
import { createSearchIndex, type SearchIndex } from '../index/search-index.ts'
import { createPieceLists } from '../postings/piece-lists.ts'
import { createPostings, type KeptTexts } from '../postings/postings.ts'
import { createVectorSpace, type KeptVectors } from '../vectors/vector-space.ts'
import type { Sections } from './sections.ts'

/** What is not a number; the arrays beside it are named by their place. */
interface About {
  readonly ids: readonly string[]
  readonly words: Readonly<Record<string, readonly (string | null)[]>>
  readonly terms: readonly string[]
  readonly hintTerms: readonly string[]
  readonly spaces: readonly { readonly identity: string; readonly dims: number }[]
  readonly seen: { readonly memories: number; readonly vectors: number }
  /** Which database it is of, in its own words. */
  readonly source: string
}

/** The index without what has gone from it: slots are numbered anew. */
export function toSections(index: SearchIndex, source: string): Sections {
  const slots = Int32Array.from(index.slots.values()).sort()
  const renumbered = new Int32Array(index.ids.length).fill(-1)
  for (let at = 0; at < slots.length; at++) renumbered[slots[at] as number] = at
  const words = index.words.dump(slots)
  const hints = index.hints.dump(slots)
  const arrays: Record<string, Sections['arrays'][string]> = {}
  const coded = perColumn((column) => pickWords(index.columns, column, slots))
  for (const column of wordColumns) arrays[column] = coded[column].codes
  for (const column of numberColumns) arrays[column] = pick(index.columns[column].values, slots)
  addTexts(arrays, 'words', words)
  addTexts(arrays, 'hints', hints)
  for (const [part, array] of Object.entries(index.pieces.dump(slots)))
    arrays[`pieces ${part}`] = array
  for (const [identity, space] of index.spaces) {
    const kept = space.dump(renumbered)
    for (const [name, array] of Object.entries(kept)) arrays[`${identity} ${name}`] = array
  }
  const about: About = {
    ids: Array.from(slots, (slot) => index.ids[slot] ?? ''),
    words: perColumn((column) => coded[column].words),
    ...{ terms: words.terms, hintTerms: hints.terms, source, seen: index.seen },
    spaces: [...index.spaces].map(([identity, { dims }]) => ({ identity, dims })),
  }
  return { about, arrays }
}

/** With arrays of its own. */
export function copyOf({ about, arrays }: Sections): Sections {
  return { about, arrays: structuredClone(arrays) }
}

/** Takes the arrays for its own. Undefined for what is of another database. */
export function fromSections(sections: Sections, source: string): SearchIndex | undefined {
  const about = sections.about as About
  if (about.source !== source) return undefined
  const { arrays } = sections
  const spaces = about.spaces.map(({ identity, dims }) => {
    const kept = toVectors(arrays, identity)
    return [identity, createVectorSpace(dims, kept)] as const
  })
  return createSearchIndex({
    columns: restoreColumns(about, arrays),
    words: createPostings(toTexts(arrays, 'words', about.terms)),
    hints: createPostings(toTexts(arrays, 'hints', about.hintTerms)),
    pieces: createPieceLists({
      lengths: arrays['pieces lengths'] as Uint32Array,
      distinct: arrays['pieces distinct'] as Uint32Array,
      pieces: arrays['pieces pieces'] as Uint32Array,
      texts: arrays['pieces texts'] as Uint32Array,
    }),
    spaces: new Map(spaces),
    ids: [...about.ids],
    seen: { ...about.seen },
  })
}

type Arrays = Sections['arrays']

function pick(values: Arrays[string], slots: Int32Array): Arrays[string] {
  const picked = values.slice(0, slots.length)
  for (let at = 0; at < slots.length; at++) picked[at] = values[slots[at] as number] as number
  return picked
}

/** Words that no slot has any more are left behind. */
function pickWords({ codes, dictionaries }: Columns, column: WordColumn, slots: Int32Array) {
  const all = dictionaries[column].words
  const words: (string | null)[] = [null]
  // The absence of a word is numbered 0 here and there.
  const renumbered = new Int32Array(all.length)
  const picked = pick(codes[column].values, slots)
  for (let at = 0; at < picked.length; at++) {
    const code = picked[at] as number
    if (code !== 0 && renumbered[code] === 0) renumbered[code] = words.push(all[code] ?? null) - 1
    picked[at] = renumbered[code] as number
  }
  return { codes: picked, words }
}

function restoreColumns({ words }: About, arrays: Arrays): Columns {
  const known = (column: string): Dictionary =>
    createDictionary((words[column] ?? []).filter((word) => word !== null))
  const columns = { ...createColumns(), dictionaries: perColumn(known) }
  for (const column of wordColumns) take(columns.codes[column], arrays[column] as Int32Array)
  for (const column of numberColumns)
    take<Arrays[string]>(columns[column], arrays[column] as Arrays[string])
  return columns
}

function addTexts(arrays: Record<string, Arrays[string]>, name: string, kept: KeptTexts): void {
  const { lengths, distinct, codes, counts } = kept
  for (const [part, array] of Object.entries({ lengths, distinct, codes, counts }))
    arrays[`${name} ${part}`] = array
}

function toTexts(arrays: Arrays, name: string, terms: readonly string[]): KeptTexts {
  return {
    terms,
    lengths: arrays[`${name} lengths`] as Uint32Array,
    distinct: arrays[`${name} distinct`] as Uint32Array,
    codes: arrays[`${name} codes`] as Uint32Array,
    counts: arrays[`${name} counts`] as Uint8Array,
  }
}

function toVectors(arrays: Arrays, identity: string): KeptVectors {
  return {
    slots: arrays[`${identity} slots`] as Int32Array,
    passages: arrays[`${identity} passages`] as Int32Array,
    scales: arrays[`${identity} scales`] as Float32Array,
    bytes: arrays[`${identity} bytes`] as Int8Array,
    rests: arrays[`${identity} rests`] as Int8Array,
  }
}
