/** The syntax tree of an FTS5 expression. */
export type Expression =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'except'; readonly wanted: Expression; readonly unwanted: Expression }
  | { readonly kind: 'near'; readonly phrases: readonly Phrase[]; readonly distance: number }
  /** Excluded by its own column filter. */
  | { readonly kind: 'nothing' }

/** Consecutive words. A phrase without words matches nothing. */
export interface Phrase {
  readonly terms: readonly Term[]
  /** The phrase must start the content (`^`). */
  readonly anchored: boolean
}

export interface Term {
  readonly word: string
  /** Matches any word with this prefix. */
  readonly prefix: boolean
}

interface Cursor {
  readonly tokens: readonly Token[]
  position: number
  depth: number
}

class ExpressionSyntaxError extends Error {}

/** FTS5's default distance of `NEAR`. */
const defaultDistance = 10

/** Nesting limit of FTS5's parser. */
const maxDepth = 97

/** Parses FTS5 syntax for an index with the single column `content`. Returns undefined for invalid syntax. */
export function parseExpression(text: string): Expression | undefined {
  const tokens = readTokens(text)
  if (!tokens) return undefined
  const cursor = { tokens, position: 0, depth: 0 }
  try {
    const expression = parseAny(cursor)
    return cursor.position === tokens.length ? expression : undefined
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return undefined
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

/** An operand without words excludes nothing. */
function parseExcept(cursor: Cursor): Expression {
  let operand = parseOperand(cursor)
  while (skip(cursor, 'NOT')) {
    const unwanted = parseOperand(cursor)
    if (!isWordless(unwanted)) operand = { kind: 'except', wanted: operand, unwanted }
  }
  return operand
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
  const nonEmpty = sets.filter((set) => !isWordless(set))
  return nonEmpty.length > 0 ? combine('all', nonEmpty) : { kind: 'near', phrases: [], distance: 0 }
}

function parseGroup(cursor: Cursor): Expression {
  expect(cursor, '(')
  cursor.depth += 1
  if (cursor.depth > maxDepth) throw new ExpressionSyntaxError()
  const inner = parseAny(cursor)
  cursor.depth -= 1
  expect(cursor, ')')
  return inner
}

function startsNear(cursor: Cursor): boolean {
  const kind = nextKind(cursor)
  return kind === 'text' || kind === '^' || kind === '-' || kind === '{'
}

/** Parses a column filter: `content:`, or `-content:` for all other columns. */
function parseFilter(cursor: Cursor): 'included' | 'excluded' | undefined {
  const isNamed = nextKind(cursor) === 'text' && cursor.tokens[cursor.position + 1]?.kind === ':'
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
  if (expect(cursor, 'text').text.toLowerCase() !== 'content') throw new ExpressionSyntaxError()
}

function parseNear(cursor: Cursor, filtered: ReturnType<typeof parseFilter>): Expression {
  const near = skip(cursor, '^') ? toNear(parsePhrase(cursor, true)) : parseUnanchored(cursor)
  return filtered === 'excluded' && !isWordless(near) ? { kind: 'nothing' } : near
}

function parseUnanchored(cursor: Cursor): Expression {
  if (cursor.tokens[cursor.position + 1]?.kind !== '(') return toNear(parsePhrase(cursor, false))
  const { text, quoted } = expect(cursor, 'text')
  if (text !== 'NEAR' || quoted) throw new ExpressionSyntaxError()
  expect(cursor, '(')
  const phrases = [parsePhrase(cursor, false)]
  while (nextKind(cursor) === 'text') phrases.push(parsePhrase(cursor, false))
  const distance = skip(cursor, ',') ? parseDistance(cursor) : defaultDistance
  expect(cursor, ')')
  return { kind: 'near', phrases: phrases.filter(({ terms }) => terms.length > 0), distance }
}

function parseDistance(cursor: Cursor): number {
  const { text, quoted } = expect(cursor, 'text')
  if (quoted || !/^[0-9]+$/.test(text)) throw new ExpressionSyntaxError()
  return Number(text)
}

function toNear(phrase: Phrase): Expression {
  return { kind: 'near', phrases: phrase.terms.length > 0 ? [phrase] : [], distance: 0 }
}

/** A star applies to the last word before it. */
function parsePhrase(cursor: Cursor, leads: boolean): Phrase {
  const terms: Term[] = []
  do {
    const words = splitWords(expect(cursor, 'text').text)
    terms.push(...words.map((word) => ({ word, prefix: false })))
    const prefix = skip(cursor, '*')
    const last = terms.pop()
    if (last) terms.push({ word: last.word, prefix })
  } while (skip(cursor, '+'))
  return { terms, anchored: leads }
}

function isWordless(expression: Expression): boolean {
  return expression.kind === 'near' && expression.phrases.length === 0
}

function combine(kind: 'all' | 'any', of: readonly Expression[]): Expression {
  const [first] = of
  return of.length === 1 && first ? first : { kind, of }
}

function nextKind({ tokens, position: at }: Cursor): Token['kind'] | undefined {
  return tokens[at]?.kind
}

function skip(cursor: Cursor, kind: Token['kind']): boolean {
  const isNext = nextKind(cursor) === kind
  if (isNext) cursor.position += 1
  return isNext
}

function expect(cursor: Cursor, kind: Token['kind']): Token {
  const token = cursor.tokens[cursor.position]
  if (token?.kind !== kind) throw new ExpressionSyntaxError()
  cursor.position += 1
  return token
}

/** How the hits of an FTS5 expression are ordered: by BM25, or newest first when BM25 is too expensive. */
export type Ranking = 'best' | 'newest'

/** A longer query is plain text, not an expression. */
const maxWords = 64

/** BM25 costs minutes when a query repeats one word many times and a memory is long. */
const maxRepeats = 6

/** `NEAR` costs as much, even unranked. */
const nearOperator = /NEAR\s*\(/

/** Chooses the ranking of an expression. Returns undefined for an invalid one. */
export function chooseRanking(expression: string): Ranking | undefined {
  // FTS5 stops reading at a NUL.
  if (expression.includes('\0')) return undefined
  // FTS5 runs its own commands after a leading `*`.
  if (expression.startsWith('*')) return undefined
  const words = splitWords(expression)
  if (words.length > maxWords) return undefined
  const matches = expression.includes('*') ? overlap : (a: string, b: string) => a === b
  const repeats = words.filter((word, index) =>
    words.slice(0, index).some((earlier) => matches(word, earlier)),
  )
  if (repeats.length <= maxRepeats) return 'best'
  return nearOperator.test(expression) ? undefined : 'newest'
}

/** Splits and case-folds as the index does. */
export function splitWords(text: string): string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
  return folded.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
}

/** Whether one prefix is a prefix of the other. */
function overlap(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a)
}

/** A punctuator or an operator. Words and quoted strings are `text`. */
interface Token {
  readonly kind: 'text' | 'AND' | 'OR' | 'NOT' | Sign
  readonly text: string
  readonly quoted: boolean
}

type Sign = '(' | ')' | '{' | '}' | ':' | ',' | '+' | '*' | '-' | '^'

const space = /[ \t\r\n]+/y
const sign = /[(){}:,+*^-]/y
const quotation = /"[^"]*(?:""[^"]*)*"/y
const bareword = /[A-Za-z0-9_\cZ\u{80}-\u{10ffff}]+/uy

/** Splits an FTS5 expression into tokens. Returns undefined for an invalid character. */
function readTokens(expression: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  let offset = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset
    const [matched] = pattern.exec(expression) ?? []
    offset += matched?.length ?? 0
    return matched
  }
  while (offset < expression.length) {
    if (match(space) !== undefined) continue
    const token = readToken(match)
    if (!token) return undefined
    tokens.push(token)
  }
  return tokens
}

function readToken(match: (pattern: RegExp) => string | undefined): Token | undefined {
  const punctuator = match(sign)
  if (punctuator !== undefined) return { kind: punctuator as Sign, text: punctuator, quoted: false }
  const quoted = match(quotation)
  if (quoted !== undefined)
    return { kind: 'text', text: quoted.slice(1, -1).replaceAll('""', '"'), quoted: true }
  const text = match(bareword)
  return text === undefined ? undefined : { kind: toKind(text), text, quoted: false }
}

function toKind(word: string): Token['kind'] {
  return word === 'AND' || word === 'OR' || word === 'NOT' ? word : 'text'
}
