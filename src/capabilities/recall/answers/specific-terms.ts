import {
  detectLanguage,
  fold,
  isFunctionWord,
  readTerms,
  splitWords,
} from '../../../search/index.ts'
import { isCalendarWord } from './calendar-words.ts'

/**
 * An identifier, a number, a name or a single letter after a noun ("plan B") in a query: another one
 * means another thing.
 */
export interface SpecificTerm {
  readonly kind: 'identifier' | 'number' | 'name' | 'letter'
  /** Folded; a name may have several. */
  readonly words: readonly string[]
  /** The word before a letter, folded. */
  readonly noun?: string | undefined
}

const token = /[\p{L}\p{N}\p{M}_#@][\p{L}\p{N}\p{M}_#@.,:/'’-]*/gu
const trailingMarks = /(?:['’]s?|[.,:/-])+$/u
/** A digit, an underscore, or a mark or capital letter inside a word. */
const identifier = /\p{N}|_|\p{L}[.:/@]\p{L}|\p{Ll}\p{Lu}|^[#@]/u
const acronym = /^\p{Lu}{2,}$/u
const quantity = /^\p{N}{1,2}(?:[.,]\p{N}+)?(?:st|nd|rd|th)?$/u
const capitalised = /^\p{Lu}[\p{L}\p{M}'’-]+$/u
const openingMarks = new Set('"\'“„(¿¡')
const sentenceEnds = new Set('.!?:;')
const maxTerms = 12
/** "plan B"; "I" is a word, and with a full stop it is an initial. */
const letterAfterNoun =
  /(?<=(?<noun>\p{L}[\p{L}\p{M}]+)\s)(?!I)(?<letter>\p{Lu})(?![\p{L}\p{N}\p{M}_'’&/-]|\.\s)/gu
const letterInSpaceless =
  /(?<![\p{sc=Latin}\p{N}_])(?<letter>[A-Z])(?![\p{sc=Latin}\p{N}_.-])(?:(?<=\p{sc=Han}[A-Z])|(?=\p{sc=Han}))/gu
const maxIdentifiedLength = 1000
const maxNamedLength = 300
const numeric = /^[\p{N}.,:]+$/u
const lastWord = /[^\s.,:;]+\s*$/u

interface Token {
  readonly text: string
  readonly kind: SpecificTerm['kind'] | undefined
  readonly from: number
  readonly to: number
}

/** Neighbouring capitalised words are one name. */
export function readSpecificTerms(query: string): readonly SpecificTerm[] {
  const terms: { kind: SpecificTerm['kind']; words: string[]; to: number }[] = []
  for (const { text, kind, from, to } of readTokens(query)) {
    const last = terms.at(-1)
    if (!kind) continue
    if (kind === 'name' && last?.kind === 'name' && /^\s$/.test(query.slice(last.to, from)))
      Object.assign(last, { words: [...last.words, fold(text)], to })
    else terms.push({ kind, words: [fold(text)], to })
  }
  const named = terms.map(({ kind, words }) => ({ kind, words }))
  return [...named, ...readLetters(query)].slice(0, maxTerms)
}

function readLetters(query: string): SpecificTerm[] {
  const language = detectLanguage(splitWords(fold(query)))
  const matches = [...query.matchAll(letterAfterNoun), ...query.matchAll(letterInSpaceless)]
  return matches.flatMap(({ groups }) => {
    const letter = groups?.['letter'] ?? ''
    const noun = groups?.['noun']
    const word = noun === undefined ? undefined : fold(noun)
    const isPlain = word !== undefined && (isFunctionWord(word, language) || isCalendarWord(word))
    return isPlain ? [] : [{ kind: 'letter' as const, words: [fold(letter)], noun: word }]
  })
}

/** "Locker no. 3 …", "The hall B …", "方案B…" at the beginning of a text. */
const label =
  /^(?:(?:[tT]he|[oO]ur|[dD](?:er|ie|as)|[uU]nsere?|[eE]l|[lL][ae])\s)?(?<noun>\p{L}{2,})(?:\s(?:[nN]umber|[nN][or]\.?|[nN]ummer|[nN]úmero|[nN]uméro|[nN][°º]\.?|#)\s?(?<number>\d{1,3})|(?:\s|(?<=\p{sc=Han}))(?!I)(?<letter>[A-Z]))(?![\p{sc=Latin}\p{N}_.:'’-])/u

/** The thing of which a text begins to tell, and the number or letter that tells it from others. */
export function readLabel(
  content: string,
): { readonly noun: string; readonly sign: string } | undefined {
  const { noun, number, letter } = label.exec(content)?.groups ?? {}
  const sign = number ?? letter
  return noun === undefined || sign === undefined ? undefined : { noun: fold(noun), sign }
}

/** An identifier of a text, with the terms before it; the word right before it names its kind. */
export interface PlacedIdentifier {
  readonly word: string
  readonly isNumeric: boolean
  readonly before: ReadonlySet<string>
}

const clock = /^\p{N}{1,2}[:h]\p{N}{2}$/u

/** Identifiers of the beginning of a text in their order. Amounts of one or two digits and times of day are none. */
export function readIdentifiers(content: string): readonly PlacedIdentifier[] {
  const text = content.slice(0, maxIdentifiedLength)
  return [...text.matchAll(token)]
    .filter(([word]) => isIdentifier(word.replace(trailingMarks, '')))
    .slice(0, maxTerms)
    .map(({ 0: word, index }) => placeIdentifier(word.replace(trailingMarks, ''), text, index))
}

function isIdentifier(word: string): boolean {
  return (
    identifier.test(word) &&
    !quantity.test(word) &&
    !clock.test(word) &&
    !isCalendarWord(fold(word))
  )
}

/** Few of the identifiers are compared by the terms before them. */
function placeIdentifier(word: string, text: string, from: number): PlacedIdentifier {
  let before: ReadonlySet<string> | undefined
  return {
    word: fold(word),
    isNumeric: numeric.test(word),
    get before() {
      before ??= new Set(readTerms(text.slice(0, from).replace(lastWord, '')))
      return before
    },
  }
}

/** The terms of the capitalised words of a text; none in German, which capitalises every noun. */
export function readNameTerms(content: string): ReadonlySet<string> {
  const text = content.slice(0, maxNamedLength)
  if (detectLanguage(splitWords(fold(text))) === 'de') return new Set()
  const words = [...text.matchAll(token)].map(([word]) => word.replace(trailingMarks, ''))
  return new Set(readTerms(words.filter((word) => capitalised.test(word)).join(' ')))
}

function readTokens(query: string): Token[] {
  const language = detectLanguage(splitWords(fold(query)))
  return [...query.matchAll(token)].map((match) => {
    const text = match[0].replace(trailingMarks, '')
    const word = fold(text)
    const isPlain = isCalendarWord(word) || isFunctionWord(word, language)
    const isFirst = isSentenceStart(query, match.index)
    // German capitalises every noun.
    const isName = language !== 'de' && !isFirst && capitalised.test(text)
    return {
      text,
      kind: isPlain ? undefined : kindOf(text, isName),
      from: match.index,
      to: match.index + match[0].length,
    }
  })
}

/** Whether only opening marks and spaces are between a position and the end of a sentence. */
function isSentenceStart(text: string, position: number): boolean {
  let at = position
  while (openingMarks.has(text[at - 1] ?? '')) at -= 1
  if (at === 0) return true
  while (/\s/.test(text[at - 1] ?? '')) at -= 1
  return sentenceEnds.has(text[at - 1] ?? '')
}

function kindOf(text: string, isName: boolean): SpecificTerm['kind'] | undefined {
  if (quantity.test(text)) return 'number'
  if (identifier.test(text)) return 'identifier'
  return isName || acronym.test(text) ? 'name' : undefined
}
