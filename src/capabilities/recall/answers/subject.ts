import {
  fold,
  isSpaceless,
  readContentTerms,
  readTerms,
  splitWords,
} from '../../../search/index.ts'
import type { AnswerHit } from './hit.ts'
import {
  type PlacedIdentifier,
  readIdentifiers,
  readLabel,
  readNameTerms,
} from './specific-terms.ts'
import { announcesChange, isPassing } from './tense-words.ts'
import { monthNames, weekdayNames } from './time-words.ts'
import { readValues, toCommonKind, type Values } from './values.ts'

/** The Dice coefficient of texts in like words. */
const minLikeness = 0.2
const calendarNames = [...monthNames, ...weekdayNames].flat()
const minSharedTerms = 2
/** Longer texts have several subjects. */
const maxTerms = 60
const maxLength = 1000
/** Characters in which the first content term is searched. */
const maxOpening = 200
/** Words that begin a reason or a time, folded. */
const openers = `
  after as because before due from in on since starting thanks until with
  ab aufgrund bis dank durch im in mit nach seit seitdem weil wegen
  a con desde despues por porque tras hasta
  apres avec depuis des grace jusqu parce`
const opening = new RegExp(
  String.raw`^\P{L}*(?:(?:${openers.trim().split(/\s+/).join('|')})(?!\p{L})|由于|因为|自从)`,
  'u',
)
const number = /^\p{N}+$/u
const amount = /^\p{N}+(?:[.,]\p{N}+)?$/u
/** Most terms need no check of their script. */
const latinStart = /^[a-z]/
/** Unrelated texts share single characters of scripts without spaces, and some pairs. */
const spacelessCharacter = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]$/u

type Terms = ReadonlySet<string>

/** The distinct terms of a text without numbers, which change while the subject remains. */
export function readSubjectTerms(content: string): Terms {
  const terms = readTerms(content.slice(0, maxLength))
  return new Set(terms.filter((term) => latinStart.test(term) || isSubjectTerm(term)))
}

function isSubjectTerm(term: string): boolean {
  return !number.test(term) && !spacelessCharacter.test(term)
}

/** States of one agent and project may repeat each other. */
export function isComparable(a: AnswerHit | undefined, b: AnswerHit | undefined): boolean {
  return a !== undefined && b !== undefined && haveOneOwner(a, b) && isState(a) && isState(b)
}

const haveOneOwner = (a: AnswerHit, b: AnswerHit) =>
  a.agentId === b.agentId && a.project === b.project

const isState = (hit: AnswerHit) => !hit.isTurn && !isRecord(hit)

/** A title with a date before a colon: the record of one event. */
const datedTitle = new RegExp(
  String.raw`^[^:.]{0,60}(?:\b(?:${calendarNames.join('|')})\b|\d{1,4}[-./]\d{1,2})[^:.]{0,12}:(?!\d)`,
  'iu',
)

/** Records of events of one kind are no versions of each other. */
function isRecord({ content }: AnswerHit): boolean {
  return datedTitle.test(content)
}

/** The Dice coefficient, 0 below the minimum of shared terms. */
export function compareTerms(a: Terms = new Set(), b: Terms = new Set()): number {
  if (a.size > maxTerms || b.size > maxTerms) return 0
  const shared = [...a].filter((term) => b.has(term)).length
  return shared >= minSharedTerms ? (2 * shared) / (a.size + b.size) : 0
}

/** What a text is about. */
export class Subject {
  readonly #content: string
  #terms: Terms | undefined
  #names: Terms | undefined
  #identifiers: readonly PlacedIdentifier[] | undefined
  #label: { readonly value: ReturnType<typeof readLabel> } | undefined
  #isChange: boolean | undefined
  #isPassing: boolean | undefined
  #values: Values | undefined
  #valueKinds: Terms | undefined
  #first: { readonly term: string | undefined } | undefined

  constructor(content: string) {
    this.#content = content
  }

  get terms(): Terms {
    this.#terms ??= readSubjectTerms(this.#content)
    return this.#terms
  }

  get names(): Terms {
    this.#names ??= readNameTerms(this.#content)
    return this.#names
  }

  get identifiers(): readonly PlacedIdentifier[] {
    this.#identifiers ??= readIdentifiers(this.#content)
    return this.#identifiers
  }

  get label(): ReturnType<typeof readLabel> {
    this.#label ??= { value: readLabel(this.#content) }
    return this.#label.value
  }

  get isChange(): boolean {
    this.#isChange ??= announcesChange(this.#content)
    return this.#isChange
  }

  get isPassing(): boolean {
    this.#isPassing ??= isPassing(this.#content)
    return this.#isPassing
  }

  get values(): Values {
    this.#values ??= readValues(this.#content)
    return this.#values
  }

  /** The kinds of its values that all languages have in common; all others are one. */
  get valueKinds(): Terms {
    this.#valueKinds ??= new Set([...this.values.keys()].map(toCommonKind))
    return this.#valueKinds
  }

  /** The first content term; undefined if a reason, a time or a change is named before the subject. */
  get first(): string | undefined {
    this.#first ??= { term: readFirst(this.#content.slice(0, maxOpening)) }
    return this.#first.term
  }
}

/** Reads each text once, because each is compared with many others, and only what is compared. */
export function createSubjectReader(): (content: string) => Subject {
  const known = new Map<string, Subject>()
  return (content) => {
    const subject = known.get(content) ?? new Subject(content)
    known.set(content, subject)
    return subject
  }
}

function readFirst(beginning: string): string | undefined {
  if (opening.test(fold(beginning))) return undefined
  const [first = ''] = splitWords(beginning)
  // A single character is no word.
  const isWord = !announcesChange(first) && !isSpaceless(first)
  return isWord ? readContentTerms(beginning)[0] : undefined
}

/** Whether two texts are about different things, for a question with these terms. */
export function haveDifferentSubjects(newer: Subject, older: Subject, queryTerms: Terms): boolean {
  return (
    nameDifferentIdentifiers(newer, older) ||
    haveDifferentLabels(newer, older) ||
    beginDifferently(newer, older, queryTerms) ||
    shareOnlyNames(newer, older)
  )
}

/** "Locker no. 3" and "locker no. 8" are two things, unless a change replaces one by the other. */
function haveDifferentLabels(newer: Subject, older: Subject): boolean {
  const [own, other] = [newer.label, older.label]
  return own?.noun === other?.noun && own?.sign !== other?.sign && !newer.isChange
}

/**
 * Whether two texts in like words begin with terms that the other does not have, and a question names
 * one of them: "the ladder …" and "the crane …".
 */
function beginDifferently(one: Subject, other: Subject, queryTerms: Terms): boolean {
  const { first } = one
  const { first: second } = other
  if (first === undefined || second === undefined) return false
  const isShared = other.terms.has(first) || one.terms.has(second)
  if (isShared || queryTerms.has(first) === queryTerms.has(second)) return false
  return compareTerms(one.terms, other.terms) >= minLikeness
}

/** Whether two texts have names in common, and no other term or kind of value: two facts about one thing. */
function shareOnlyNames(one: Subject, other: Subject): boolean {
  const shared = [...one.terms].filter((term) => other.terms.has(term))
  const areNames = shared.every((term) => one.names.has(term) && other.names.has(term))
  if (shared.length === 0 || !areNames) return false
  return ![...one.valueKinds].some((kind) => other.valueKinds.has(kind))
}

/**
 * Whether two texts have different identifiers as their subjects. An identifier is the new value of
 * a subject if the words before it say so: they name the same subject.
 */
function nameDifferentIdentifiers(newer: Subject, older: Subject): boolean {
  const [own, others] = [listNames(newer, older), listNames(older, newer)]
  const findUnshared = (list: typeof own, rest: typeof own) =>
    list.find(({ word }) => !rest.some((one) => one.word === word))
  const first = findUnshared(own, others)
  const second = findUnshared(others, own)
  if (first === undefined || second === undefined) return false
  return !isSameSubject(first, second, newer.isChange)
}

/** The identifiers of a text that are no values of a kind which both texts have. */
function listNames({ identifiers, values }: Subject, other: Subject): readonly PlacedIdentifier[] {
  const shared = [...values].filter(([kind]) => kind !== '' && other.values.has(kind))
  const isValue = (word: string) =>
    amount.test(word) && shared.some(([, numbers]) => numbers.has(word))
  return identifiers.filter(({ word }) => !isValue(word))
}

function isSameSubject(a: PlacedIdentifier, b: PlacedIdentifier, isChange: boolean): boolean {
  const shared = [...a.before].filter((term) => b.before.has(term)).length
  if (isChange) return shared > 0
  return a.isNumeric && shared > 0 && shared === Math.max(a.before.size, b.before.size)
}
