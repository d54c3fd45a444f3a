import type { EngineQuery } from '../engine.ts'
import { createLengthNorm, idf } from '../ranking/bm25.ts'
import { candidatesPerSignal } from '../ranking/weights.ts'
import { parseQuery, queryNameWords } from '../text/query.ts'
import { termWeight } from '../text/terms.ts'
import type { WordPieceTokens } from '../tokens/word-pieces.ts'
import type { PoolRequest } from './store/candidates.ts'
import type { Asked, Knowledge } from './store/corpus-stats.ts'
import type { Near } from './store/nearest.ts'
import { toText } from './store/vectors.ts'

/** In scripts without spaces some sentences have so many. */
const mostSought = 256

/** What holds none but the commoner terms is hardly ever among the best. */
const mostRead = 4000
/** Each row that is read is compared with each term. */
const mostCompared = 256_000

/** A question, once it is known who is named in it and how rare its words are. */
export interface Question {
  readonly query: EngineQuery
  readonly knowledge: Knowledge
  /** Each once. Those that are looked for come first; of a longer question the rarest are enough. */
  readonly terms: readonly string[]
  readonly sought: readonly string[]
  readonly pieces: readonly number[]
  /** Who is named. */
  readonly named: ReadonlySet<string>
  readonly near: Near | undefined
}

/** What has to be known before the question can be asked. */
export function toAsked(
  query: Omit<EngineQuery, 'now'>,
  readPieces: WordPieceTokens['tokenize'],
): Asked {
  const { terms, words } = parseQuery(query.text, new Set())
  return {
    request: query,
    terms: [...new Set(terms)],
    pieces: [...new Set(words.flatMap(readPieces))],
    nameWords: queryNameWords(query.text),
    identity: query.vector?.identity,
  }
}

export function toQuestion(
  query: EngineQuery,
  knowledge: Knowledge,
  readPieces: WordPieceTokens['tokenize'],
): Question {
  const { names, holding } = knowledge
  const { terms, words } = parseQuery(query.text, new Set(names.map(([word]) => word)))
  const { vector } = query
  const distinct = [...new Set(terms)]
  const sought = distinct
    .filter((term) => holding('words', term) + holding('hints', term) > 0)
    .toSorted((a, b) => holding('words', a) - holding('words', b))
    .slice(0, mostSought)
  return {
    ...{ query, knowledge, sought },
    terms: [...new Set([...sought, ...distinct])],
    pieces: words.flatMap(readPieces),
    named: new Set(names.map(([, who]) => who)),
    near:
      vector && knowledge.hasVectors(vector.values.length)
        ? {
            identity: vector.identity,
            text: toText(vector.values),
            dims: vector.values.length,
          }
        : undefined,
  }
}

/** A row is read only when it holds one of the rarest terms; so many rows of those are enough. */
export function toPoolRequest(
  { query, knowledge, sought: terms, near }: Question,
  enough = mostRead,
): PoolRequest {
  const rarities = (field: 'words' | 'hints') =>
    terms.map((term) => rarityOfTerm(knowledge, field, term))
  const norms = (field: 'words' | 'hints') => createLengthNorm(knowledge.texts(field).averageLength)
  const read = Math.min(enough, mostCompared / terms.length)
  const leading = (field: 'words' | 'hints') => leadingOf(knowledge, { field, terms, enough: read })
  return {
    ...{ mask: query, terms, near },
    leading: { words: leading('words'), hints: leading('hints') },
    rarities: { words: rarities('words'), hints: rarities('hints') },
    norms: { words: norms('words'), hints: norms('hints') },
    count: Math.max(candidatesPerSignal, query.limit),
  }
}

interface Rarest {
  readonly field: 'words' | 'hints'
  readonly terms: readonly string[]
  readonly enough: number
}

/** The rarest terms, until what holds them is enough to choose from. */
function leadingOf(
  { holding }: Pick<Knowledge, 'holding'>,
  { field, terms, enough }: Rarest,
): string[] {
  const leading: string[] = []
  let read = 0
  for (const term of terms.toSorted((a, b) => holding(field, a) - holding(field, b))) {
    const texts = holding(field, term)
    if (texts === 0 || read >= enough) continue
    leading.push(term)
    read += texts
  }
  return leading
}

export function rarityOfTerm(
  { holding, texts }: Pick<Knowledge, 'holding' | 'texts'>,
  field: 'words' | 'hints',
  term: string,
): number {
  return (
    termWeight(term) *
    idf({ documentFrequency: holding(field, term), documentCount: texts(field).count })
  )
}
