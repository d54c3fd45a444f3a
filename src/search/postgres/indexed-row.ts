import { setImmediate } from 'node:timers/promises'
import { parseIntervals, toMemoryRow } from '../feed.ts'
import { speakerNameWords } from '../text/query.ts'
import { fold, readTerms } from '../text/terms.ts'
import type { WordPieceTokens } from '../tokens/token-similarity.ts'
import type { SearchRow } from './store/rows.ts'
import { toTsvector } from './tsvector.ts'

/** A memory prepared for the search tables. */
export interface IndexedRow {
  readonly id: string
  readonly revision: number
  /** Undefined for a purged memory. */
  readonly content?: {
    readonly row: SearchRow
    /** Distinct. */
    readonly words: readonly string[]
    readonly hints: readonly string[]
    readonly names: readonly string[]
  }
}

type Row = Readonly<Record<string, unknown>>

/** After this many characters the event loop gets a turn. */
const maxBatchCharacters = 20_000

export async function toIndexedRows(
  rows: readonly Row[],
  tokenize: WordPieceTokens['tokenize'],
): Promise<IndexedRow[]> {
  const indexed: IndexedRow[] = []
  let characters = 0
  for (const row of rows) {
    indexed.push(toIndexedRow(row, tokenize))
    characters += String(row['content'] ?? '').length
    if (characters < maxBatchCharacters) continue
    characters = 0
    await setImmediate()
  }
  return indexed
}

function toIndexedRow(row: Row, tokenize: WordPieceTokens['tokenize']): IndexedRow {
  const memory = toMemoryRow(row)
  const { id, revision } = memory
  if (memory.purged) return { id, revision }
  const { agent: agentId, session: sessionId, words: length, ...facts } = memory.facts
  const words = readTerms(memory.content)
  const hints = memory.hints.flatMap(readTerms)
  const pieces = tokenize(memory.content)
  return {
    id,
    revision,
    content: {
      row: {
        ...facts,
        memoryId: id,
        agentId,
        sessionId,
        length,
        pinned: facts.pinned ? 1 : 0,
        deleted: facts.deleted ? 1 : 0,
        validity: facts.validity === null ? null : toRanges(facts.validity),
        words: toTsvector(words),
        wordsLength: words.length,
        hints: toTsvector(hints),
        hintsLength: hints.length,
        pieces: encodeTokens([...new Set(pieces)]),
        piecesLength: pieces.length,
      },
      words: [...new Set(words)],
      hints: [...new Set(hints)],
      names: speakerNameWords(fold(facts.who)),
    },
  }
}

/** An empty interval is dropped. */
function toRanges(validity: string): string {
  const ranges = parseIntervals(validity)
    .filter(([from, until]) => from < until)
    .map(([from, until]) => `[${from},${Number.isFinite(until) ? until : ''})`)
  return `{${ranges.join()}}`
}

/** Little-endian 32-bit integers, as stored. */
function encodeTokens(pieces: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(pieces).buffer)
}

export function decodeTokens(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer)
}
