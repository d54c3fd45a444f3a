import { splitWords } from './expression.ts'
import { readTokens, type Token } from './expression-tokens.ts'

/** What an expression of the index asks for. */
export type Expression =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'except'; readonly wanted: Expression; readonly unwanted: Expression }
  | { readonly kind: 'near'; readonly phrases: readonly Phrase[]; readonly distance: number }
  /** Excluded by its own column filter. */
  | { readonly kind: 'nothing' }

/** Words that follow each other; without words it is in no text. */
export interface Phrase {
  readonly terms: readonly Term[]
  /** Nothing may stand before it. */
  readonly leads: boolean
}

export interface Term {
  readonly word: string
  /** What begins with the word will do. */
  readonly prefix: boolean
}

interface Cursor {
  readonly tokens: readonly Token[]
  at: number
  depth: number
}

class SyntaxFault extends Error {}

/** Words of a `NEAR` stand so close together where it does not say how close. */
const usualDistance = 10

/** FTS5's parser has no room for more. */
const deepest = 97

/** Reads FTS5's query syntax as FTS5 reads it for an index whose one column is `content`; undefined for what is none. */
export function parseExpression(text: string): Expression | undefined {
  const tokens = readTokens(text)
  if (!tokens) return undefined
  const cursor = { tokens, at: 0, depth: 0 }
  try {
    const expression = parseAny(cursor)
    return cursor.at === tokens.length ? expression : undefined
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined
    throw error
  }
}

function parseAny(cursor: Cursor): Expression {
  const of = [parseAll(cursor)]
  while (skip(cursor, 'OR')) of.push(parseAll(cursor))
  return combine('any', of)
}

function parseAll(cursor: Cursor): Expression {
  const of = [parseExcept(cursor)]
  while (skip(cursor, 'AND')) of.push(parseExcept(cursor))
  return combine('all', of)
}

/** What has no words excludes nothing. */
function parseExcept(cursor: Cursor): Expression {
  let wanted = parseOperand(cursor)
  while (skip(cursor, 'NOT')) {
    const unwanted = parseOperand(cursor)
    if (!isWordless(unwanted)) wanted = { kind: 'except', wanted, unwanted }
  }
  return wanted
}

function parseOperand(cursor: Cursor): Expression {
  if (nextKind(cursor) === '(') return parseGroup(cursor)
  const filtered = parseFilter(cursor)
  if (filtered !== undefined && nextKind(cursor) === '(') {
    const group = parseGroup(cursor)
    return filtered === 'excluded' ? { kind: 'nothing' } : group
  }
  const sets = [parseNear(cursor, filtered)]
  while (startsNear(cursor)) sets.push(parseNear(cursor, parseFilter(cursor)))
  const worded = sets.filter((set) => !isWordless(set))
  return worded.length > 0 ? combine('all', worded) : { kind: 'near', phrases: [], distance: 0 }
}

function parseGroup(cursor: Cursor): Expression {
  expect(cursor, '(')
  cursor.depth += 1
  if (cursor.depth > deepest) throw new SyntaxFault()
  const inner = parseAny(cursor)
  cursor.depth -= 1
  expect(cursor, ')')
  return inner
}

function startsNear(cursor: Cursor): boolean {
  const kind = nextKind(cursor)
  return kind === 'text' || kind === '^' || kind === '-' || kind === '{'
}

/** `content:`, or with a minus all but that; undefined where no filter begins. */
function parseFilter(cursor: Cursor): 'included' | 'excluded' | undefined {
  const isNamed = nextKind(cursor) === 'text' && cursor.tokens[cursor.at + 1]?.kind === ':'
  if (!isNamed && nextKind(cursor) !== '-' && nextKind(cursor) !== '{') return undefined
  const excluded = skip(cursor, '-')
  if (skip(cursor, '{')) {
    do expectColumn(cursor)
    while (!skip(cursor, '}'))
  } else expectColumn(cursor)
  expect(cursor, ':')
  return excluded ? 'excluded' : 'included'
}

function expectColumn(cursor: Cursor): void {
  if (expect(cursor, 'text').text.toLowerCase() !== 'content') throw new SyntaxFault()
}

function parseNear(cursor: Cursor, filtered: ReturnType<typeof parseFilter>): Expression {
  const near = skip(cursor, '^') ? only(parsePhrase(cursor, true)) : parseUnled(cursor)
  return filtered === 'excluded' && !isWordless(near) ? { kind: 'nothing' } : near
}

function parseUnled(cursor: Cursor): Expression {
  if (cursor.tokens[cursor.at + 1]?.kind !== '(') return only(parsePhrase(cursor, false))
  const { text, quoted } = expect(cursor, 'text')
  if (text !== 'NEAR' || quoted) throw new SyntaxFault()
  expect(cursor, '(')
  const phrases = [parsePhrase(cursor, false)]
  while (nextKind(cursor) === 'text') phrases.push(parsePhrase(cursor, false))
  const distance = skip(cursor, ',') ? parseDistance(cursor) : usualDistance
  expect(cursor, ')')
  return { kind: 'near', phrases: phrases.filter(({ terms }) => terms.length > 0), distance }
}

function parseDistance(cursor: Cursor): number {
  const { text, quoted } = expect(cursor, 'text')
  if (quoted || !/^[0-9]+$/.test(text)) throw new SyntaxFault()
  return Number(text)
}

function only(phrase: Phrase): Expression {
  return { kind: 'near', phrases: phrase.terms.length > 0 ? [phrase] : [], distance: 0 }
}

/** A star is for the word before it, which may be the last of several. */
function parsePhrase(cursor: Cursor, leads: boolean): Phrase {
  const terms: Term[] = []
  do {
    const words = splitWords(expect(cursor, 'text').text)
    terms.push(...words.map((word) => ({ word, prefix: false })))
    const prefix = skip(cursor, '*')
    const last = terms.pop()
    if (last) terms.push({ word: last.word, prefix })
  } while (skip(cursor, '+'))
  return { terms, leads }
}

function isWordless(expression: Expression): boolean {
  return expression.kind === 'near' && expression.phrases.length === 0
}

function combine(kind: 'all' | 'any', of: readonly Expression[]): Expression {
  const [first] = of
  return of.length === 1 && first ? first : { kind, of }
}

function nextKind({ tokens, at }: Cursor): Token['kind'] | undefined {
  return tokens[at]?.kind
}

function skip(cursor: Cursor, kind: Token['kind']): boolean {
  const isNext = nextKind(cursor) === kind
  if (isNext) cursor.at += 1
  return isNext
}

function expect(cursor: Cursor, kind: Token['kind']): Token {
  const token = cursor.tokens[cursor.at]
  if (token?.kind !== kind) throw new SyntaxFault()
  cursor.at += 1
  return token
}
