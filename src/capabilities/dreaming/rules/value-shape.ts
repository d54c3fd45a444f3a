import { type CompiledLanguage, languages } from './language.ts'
import type { ValueKind } from './language-table.ts'
import { phraseEnd } from './phrases.ts'
import { isCapitalised, isCode, type Token } from './tokens.ts'

const pronouns: ReadonlySet<string> = new Set(
  'it this that them him her me you us your es das dich dir ihn ihm sie uns'.split(' '),
)

/** Whether the words of a value look like one of its kind. */
export function hasShape({
  tokens,
  language,
  kind,
}: {
  readonly tokens: readonly Token[]
  readonly language: CompiledLanguage
  readonly kind: ValueKind
}): boolean {
  const article = phraseEnd(tokens, 0, language.articles) ?? 0
  const isVague =
    kind === 'allergen' && /^(?:most|all|some|certain|many)$/.test(tokens[0]?.lower ?? '')
  const shape = { tokens, rest: tokens.slice(isVague ? 1 : article), language, kind }
  if (shape.rest.length === 0 || isEmpty(shape) || isSpeaker(shape)) return false
  const isIdeographic = tokens.some((token) => token.kind === 'ideograph')
  return isIdeographic ? ideographs(shape) : shapes[kind](shape)
}

/** `Wir` at the beginning of a sentence has a capital, too. */
function isSpeaker({ rest, language }: Shape): boolean {
  return [language.firstPerson, language.firstPossessive, language.firstPlural].some(
    (phrases) => phraseEnd(rest, 0, phrases) === rest.length,
  )
}

function isEmpty({ rest, language, kind }: Shape): boolean {
  const [first] = rest
  if (!first) return true
  if (kind === 'decision') return rest.length < 2 && !language.isUnspaced
  if (kind === 'phrase' && rest.some(({ lower }) => pronouns.has(lower))) return true
  const isState = language.states.has(first.lower)
  if (isState)
    return rest.length === 1 || (kind !== 'phrase' && isFiller({ rest, language }, first))
  const isDate = rest.every(({ lower }) => language.calendar.has(lower))
  const isPlace = kind === 'place' && isPlaceName(rest.map(({ text }) => text).join(''))
  return (!isPlace && isFiller({ rest, language }, first)) || (isDate && !dated.has(kind))
}

const dated: ReadonlySet<ValueKind> = new Set(['property', 'phrase', 'date'])

/** A capital in front of other words makes a name of a word that is no value. */
function isFiller({ rest, language }: Pick<Shape, 'rest' | 'language'>, first: Token): boolean {
  const isProperName = isCapitalised(first) && rest.length > 1
  return !isProperName && language.emptyValues.has(first.lower)
}

interface Shape {
  readonly kind: ValueKind
  readonly tokens: readonly Token[]
  /** Without its article. */
  readonly rest: readonly Token[]
  readonly language: CompiledLanguage
}

const isName = ({ rest, language }: Shape): boolean =>
  isNamed(rest[0]) &&
  isNamed(rest.at(-1)) &&
  rest.every(
    (token) =>
      isNamed(token) ||
      token.kind === 'mark' ||
      language.nameConnectors.has(token.lower) ||
      language.conjunctions.has(token.lower),
  )

function isNamed(token: Token | undefined): boolean {
  if (token === undefined) return false
  return isCapitalised(token) || isCode(token) || /^lib\p{Ll}{2,}$/u.test(token.text)
}

const hasLetters = ({ rest }: Shape): boolean => rest.some(({ text }) => /\p{L}/u.test(text))
const isCalendar = ({ rest, language }: Shape): boolean =>
  rest.some(({ lower }) => language.calendar.has(lower))
/** `the login service`, but not `a server` */
const isThing = ({ tokens, rest, language }: Shape): boolean =>
  tokens.length > rest.length &&
  rest.length <= 4 &&
  !/^(?:an?|ein\p{L}{0,2})$/u.test(tokens[0]?.lower ?? '') &&
  language.thingNouns.has(rest.at(-1)?.lower ?? '')
/** `a server`, `einem Server`: which one is open. */
const isAnyThing = ({ tokens, rest, language }: Shape): boolean =>
  rest.length === 1 &&
  /^(?:an?|ein\p{L}{0,2})$/u.test(tokens[0]?.lower ?? '') &&
  language.thingNouns.has(rest[0]?.lower ?? '')
/** `a standing desk` */
const isPlainThing = ({ tokens, rest, language }: Shape): boolean =>
  tokens.length > rest.length &&
  /^(?:an?|eine?n?)$/.test(tokens[0]?.lower ?? '') &&
  rest.length <= 2 &&
  rest.every(
    ({ lower, kind }) =>
      kind === 'word' && !language.emptyValues.has(lower) && !language.states.has(lower),
  )

/** `Port 8080` */
const isMeasured = ({ rest, language }: Shape): boolean =>
  /^\d+$/.test(rest.at(-1)?.text ?? '') && language.projectNouns.has(rest[0]?.lower ?? '')

const shapes: Readonly<Record<ValueKind, (shape: Shape) => boolean>> = {
  place: (shape) =>
    isName(shape) && !isCalendar(shape) && /^\p{Lu}/u.test(shape.rest[0]?.text ?? ''),
  organization: (shape) => isName(shape) && hasLetters(shape) && !isCalendar(shape),
  company: (shape) =>
    isName(shape) &&
    hasLetters(shape) &&
    !isCalendar(shape) &&
    !shape.rest.some(({ lower }) => shape.language.communities.has(lower)),
  tool: (shape) =>
    (isName(shape) && hasLetters(shape) && !isCalendar(shape)) || isPlainThing(shape),
  technology: (shape) =>
    (!isMeasured(shape) &&
      isName(shape) &&
      hasLetters(shape) &&
      !isCalendar(shape) &&
      !isAnyThing(shape)) ||
    isThing(shape) ||
    (shape.rest.length === 1 &&
      shape.language.notNames.has(shape.rest[0]?.lower ?? '') &&
      !isCalendar(shape)),
  language: ({ tokens, rest }) =>
    tokens.length === 1 && /^\p{Lu}\p{Ll}+(?:-\p{L}+)?$/u.test(rest[0]?.text ?? ''),
  person: (shape) =>
    (isName(shape) &&
      hasLetters(shape) &&
      !isCode(shape.rest[0] as Token) &&
      !shape.rest.some(({ lower }) => shape.language.notNames.has(lower))) ||
    isThing(shape),
  phrase: (shape) => hasLetters(shape),
  allergen: (shape) =>
    hasLetters(shape) &&
    !shape.language.jokeAllergens.has(shape.rest.map(({ lower }) => lower).join(' ')) &&
    !shape.language.softStops.has(shape.rest[0]?.lower ?? ''),
  role: ({ rest, language }) =>
    rest.some(({ lower }) => language.roles.has(lower)) &&
    !language.softStops.has(rest[0]?.lower ?? ''),
  property: (shape) =>
    !shape.language.softStops.has(shape.rest[0]?.lower ?? '') &&
    (shape.rest.some(isNamed) || isThing(shape)),
  date: ({ rest, language }) => isDay(rest, language),
  number: ({ rest }) => rest.length === 1 && /^\p{N}{2,6}$/u.test(rest[0]?.text ?? ''),
  software: (shape) => shape.rest.some(isNamed) || isLowerName(shape),
  decision: (shape) => hasLetters(shape),
  self: () => true,
  alias: ({ tokens }) => tokens.length === 1 && isNamed(tokens[0]),
}

/** `3 May`, `Friday`, `2026-05-03`, `3.5.` */
function isDay(rest: readonly Token[], language: CompiledLanguage): boolean {
  return rest.some(
    ({ lower, text }) =>
      language.calendar.has(lower) ||
      /^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?$/.test(text) ||
      /^(?:q[1-4]|kw)$/.test(lower),
  )
}

/** Whether a value is a day, in any language: it has a number and a word of a calendar. */
export function isDateText(plain: string): boolean {
  const words = plain.split(/[\s.,]+/)
  const isNamed = languages.some(({ calendar }) => words.some((word) => calendar.has(word)))
  return /\d/.test(plain) && (isNamed || /^\d{4}-\d{2}-\d{2}$|\d月/u.test(plain))
}

/** `fish`, but not `charging` or `slowly`. */
function isLowerName({ tokens, rest }: Shape): boolean {
  return (
    tokens.length === 1 &&
    /^\p{L}+$/u.test(rest[0]?.text ?? '') &&
    !/(?:ing|ed|ly)$/.test(rest[0]?.lower ?? '')
  )
}

const maxIdeographs = 20

/** Names in scripts without spaces have no shape of their own. */
function ideographs({ tokens, language, kind }: Shape): boolean {
  if (tokens.length > maxIdeographs) return false
  const text = tokens.map(({ text: part }) => part).join('')
  if (kind === 'date' && !/[月日号周]|星期|季度/u.test(text)) return false
  if (kind === 'allergen' && (language.jokeAllergens.has(text) || /[有会就都很]$/u.test(text)))
    return false
  if (language.states.has(text) || (kind === 'place' && /[楼层室厅厦号]$/u.test(text))) return false
  return !beginsEmpty(text, language.emptyValues) || (kind === 'place' && isPlaceName(text))
}

function beginsEmpty(text: string, emptyValues: ReadonlySet<string>): boolean {
  return [...emptyValues].some((start) => text.startsWith(start))
}

const words = new Intl.Segmenter('zh', { granularity: 'word' })

/** `太原`, but not `太远`: an adverb or a noun may be the first part of a name. */
function isPlaceName(text: string): boolean {
  const [first] = words.segment(text)
  return /^[太好多几最家手心力]/u.test(text) && first?.segment === text
}
