import type { CompiledLanguage } from './language.ts'
import type { ValueKind } from './language-table.ts'
import { phraseEnd, type Span } from './phrases.ts'
import { isCapitalised, maskCharacter, type Token } from './tokens.ts'
import { hasShape } from './value-shape.ts'

const maxValueLength = 80
/** Words of a value, by its kind. */
const maxWords: Readonly<Record<ValueKind, number>> = {
  place: 5,
  organization: 6,
  company: 6,
  tool: 4,
  technology: 4,
  language: 1,
  person: 4,
  phrase: 7,
  allergen: 4,
  role: 6,
  property: 6,
  date: 5,
  number: 1,
  software: 6,
  decision: 16,
  alias: 4,
  self: 0,
}
/** Kinds of which one sentence may list several. */
const listed: ReadonlySet<ValueKind> = new Set(['tool', 'technology', 'language', 'allergen'])
/** Kinds that go on over prepositions. */
const loose: ReadonlySet<ValueKind> = new Set(['phrase', 'decision', 'role', 'allergen'])
const innerMarks: ReadonlySet<string> = new Set([
  '-',
  '–',
  '&',
  '/',
  '+',
  '.',
  '%',
  '$',
  '€',
  '№',
  '·',
  '・',
])

interface ValueRequest {
  readonly tokens: readonly Token[]
  readonly language: CompiledLanguage
  readonly span: Span
  readonly kind: ValueKind
  /** The value may end before the span does. */
  readonly isOpen: boolean
}

/** Where a value ends, and whether a word behind it says that it is new. */
interface Cut extends Span {
  readonly hasChangeWord: boolean
}

/** The words of the values of a span, or undefined where they are no value of this kind. */
export function readValues(
  request: ValueRequest,
): { readonly values: readonly Span[]; readonly cut: Cut } | undefined {
  const cut = cutValue(request)
  if (cut.end <= cut.start || isHalf(request, cut)) return undefined
  if (!request.isOpen && cut.end < request.span.end && !isBeforeChange(request, cut))
    return undefined
  const parts = listed.has(request.kind) ? splitParts(request, cut) : [cut]
  const firstBad = parts.findIndex((part) => !isValue(request, part))
  const values = firstBad < 0 ? parts : parts.slice(0, firstBad)
  const last = values.at(-1)
  if (!last) return undefined
  return { values, cut: listed.has(request.kind) ? { ...cut, end: last.end } : cut }
}

/** `uses Kate now instead of …`: words that say that it is new fill the rest of the span. */
function isBeforeChange({ tokens, language, span }: ValueRequest, { end }: Span): boolean {
  const after = phraseEnd(tokens, end, language.changeWords)
  if (after === undefined) return false
  return after >= span.end || tokens[after]?.kind === 'mark'
}

/** A phrase that a relative clause narrows says too little without it. */
function isHalf({ tokens, language, kind, span }: ValueRequest, { end }: Span): boolean {
  const next = end < span.end ? tokens[end] : undefined
  return loose.has(kind) && next !== undefined && language.relativePronouns.has(next.lower)
}

function cutValue({ tokens, language, span, kind }: ValueRequest): Cut {
  let start = span.start
  while (start < span.end && tokens[start]?.text === '`') start++
  let at = start
  while (at < span.end) {
    const token = tokens[at]
    if (!token || isEnd({ tokens, language, kind, start, at })) break
    const change = at > start ? phraseEnd(tokens, at, language.changeWords) : undefined
    if (change !== undefined && !isCapitalised(token))
      return { start, end: at, hasChangeWord: true }
    at++
  }
  const rest = tokens
    .slice(at, at + 6)
    .findIndex((_, index) => phraseEnd(tokens, at + index, language.changeWords) !== undefined)
  return { start, end: at, hasChangeWord: rest >= 0 && rest <= 3 }
}

interface Position {
  readonly tokens: readonly Token[]
  readonly language: CompiledLanguage
  readonly kind: ValueKind
  readonly start: number
  readonly at: number
}

function isEnd(position: Position): boolean {
  const { tokens, language, kind, start, at } = position
  const token = tokens[at]
  if (!token || token.text.includes(maskCharacter)) return true
  if (token.kind === 'mark') return isEndingMark(position, token)
  if (at === start || isNameWord(token, at, tokens) || isOfHouse(position)) return false
  if (endsList(position, token) || changesScript(position, token)) return true
  if (phraseEnd(tokens, at, language.stops) !== undefined)
    return kind !== 'decision' || !isMild(token)
  return !loose.has(kind) && phraseEnd(tokens, at, language.softStops) !== undefined
}

/** `Ferrol and work at …`: names go on after a conjunction with a capital only. */
function endsList({ tokens, language, kind, start, at }: Position, token: Token): boolean {
  // Many names in ideographs have a conjunction as their second part.
  if (token.kind === 'ideograph' && at === start + 1) return false
  if (!language.conjunctions.has(token.lower) || listed.has(kind)) return false
  if (kind === 'phrase' || kind === 'decision') return false
  const next = tokens[at + 1]
  return next === undefined || !isCapitalised(next)
}

/** `Vim写代码`: a name in letters ends in front of ideographs. */
function changesScript({ tokens, kind, start }: Position, token: Token): boolean {
  if (kind !== 'tool' && kind !== 'technology' && kind !== 'software') return false
  return (
    token.kind === 'ideograph' &&
    /^\p{L}/u.test(tokens[start]?.text ?? '') &&
    tokens[start]?.kind === 'word'
  )
}

const ofHouses: ReadonlySet<ValueKind> = new Set(['organization', 'company', 'place'])

/** `Haus am See`: the place belongs to the name. */
function isOfHouse({ tokens, language, kind, start, at }: Position): boolean {
  if (!ofHouses.has(kind)) return false
  const first = tokens[start]
  const link = phraseEnd(tokens, start + 1, language.houseLinks)
  if (!first || link === undefined || at > link || !isHouse(first, language)) return false
  const noun = tokens[link]
  return (
    noun !== undefined &&
    /^\p{Lu}/u.test(noun.text) &&
    !language.calendar.has(noun.lower) &&
    !language.timeNouns.has(noun.lower)
  )
}

/** `Gasthaus` is a house where nouns are written as one word. */
function isHouse({ text, lower }: Token, { houses, isCompounding }: CompiledLanguage): boolean {
  if (!/^\p{Lu}/u.test(text)) return false
  return houses.has(lower) || (isCompounding && [...houses].some((end) => lower.endsWith(end)))
}

/** A capital in the middle of a name: `The Who`, `Made In Space`. */
function isNameWord(token: Token, at: number, tokens: readonly Token[]): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  return (
    isCapitalised(token) &&
    token.text !== 'I' &&
    before !== undefined &&
    after !== undefined &&
    isCapitalised(before) &&
    isCapitalised(after)
  )
}

/** Words that end names, but may stand in the middle of a decision. */
const mild: ReadonlySet<string> = new Set([
  'every',
  'each',
  'until',
  'till',
  'before',
  'via',
  'during',
  'that',
  'not',
  'all',
  'daily',
  'once',
  'is',
  'are',
  'when',
  'just',
  'today',
  'always',
  'forever',
  'completely',
  'entirely',
  'altogether',
  'at',
  'for',
  'last',
  'where',
  'while',
  'again',
  'instead',
  'here',
  'there',
  'also',
  'then',
  'plus',
])

function isMild({ lower }: Token): boolean {
  return mild.has(lower)
}

function isEndingMark({ tokens, kind, start, at }: Position, token: Token): boolean {
  if (at === start) return true
  const next = tokens[at + 1]
  if (token.text === ',' && listed.has(kind)) return next === undefined
  if (token.text === '、' && listed.has(kind)) return next === undefined
  if (token.text === ',' && kind === 'phrase' && joinsAdjectives(tokens, at)) return false
  if (!innerMarks.has(token.text) || isDash(tokens, at)) return true
  if (token.text === '.' && next && next.start > token.end && !isCapitalised(next)) return true
  return next === undefined || next.kind === 'mark' || next.start > token.end + 1
}

/** `pottery - it calms me` */
function isDash(tokens: readonly Token[], at: number): boolean {
  const [before, token, next] = tokens.slice(Math.max(at - 1, 0), at + 2)
  if (!before || !token || !next || !/^[-–]$/.test(token.text)) return false
  return before.end < token.start && token.end < next.start && !/\d$/.test(before.text)
}

const adjective =
  /(?:able|ible|ful|less|ive|ic|ous|free|weight|ary)$|^(?:simple|clear|short|light|quiet|small|big|long|concise|practical|detailed|direct|plain|dark|warm|cold|soft|strong|clean|fresh)$/

/** `short, quiet meetings` */
function joinsAdjectives(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  return adjective.test(before?.lower ?? '') && after?.kind === 'word' && !isCapitalised(after)
}

/** `A, B and C`. */
function splitParts(request: ValueRequest, { start, end }: Span): Span[] {
  const { tokens, language } = request
  const parts: Span[] = []
  let from = start
  let hasConjunction = false
  for (let at = start; at <= end; at++) {
    const token = tokens[at]
    const separates =
      at === end ||
      (token &&
        (/^[,、]$/.test(token.text) ||
          (language.conjunctions.has(token.lower) && token.lower !== '&')))
    if (!separates) continue
    hasConjunction ||= at < end && token?.text !== ','
    if (at > from) parts.push({ start: skipDegree(request, from, at), end: at })
    from = at + 1
  }
  // `I use Kate, Olu`: two parts with a comma alone are no list.
  return parts.length === 2 && !hasConjunction && request.kind !== 'language'
    ? parts.slice(0, 1)
    : parts
}

/** `a bit of Dutch` */
function skipDegree({ tokens, language, kind }: ValueRequest, start: number, end: number): number {
  const after = kind === 'language' ? phraseEnd(tokens, start, language.degrees) : undefined
  return after !== undefined && after < end ? after : start
}

function isValue({ tokens: all, language, kind }: ValueRequest, { start, end }: Span): boolean {
  const tokens = all.slice(start, end).filter(({ text }) => text !== '`')
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (!first || !last || last.end - first.start > maxValueLength) return false
  if (tokens.some(({ text }) => text.includes(maskCharacter))) return false
  const words = tokens.filter((token) => token.kind === 'word').length
  if (!language.isUnspaced && words > maxWords[kind]) return false
  return hasShape({ tokens, language, kind })
}
