import { findGuard, isOpener, isRetraction } from './guards.ts'
import { type CompiledLanguage, languages } from './language.ts'
import { maskedShare, maskText } from './mask.ts'
import { findHostile, splitPassages } from './passages.ts'
import { findPhrases } from './phrases.ts'
import { type Sentence, splitSentences, splitTurns, type Turn } from './sentences.ts'
import { maskCharacter } from './tokens.ts'

export interface QuoteRequest {
  /** The part of the source around the quote. */
  readonly text: string
  /** Offset of the quote in `text`. */
  readonly start: number
  readonly length: number
  readonly isTranscript: boolean
  /** The operation ends a value: negations and the past belong to it. */
  readonly endsValue: boolean
}

/** What the rules think of a quote that a model has chosen. */
export interface QuoteReading {
  /** Of a transcript. */
  readonly role: Turn['role']
  /** False inside quotations, code, material and hostile turns. */
  readonly isStatement: boolean
  /** Why the sentence may not hold: a question, a plan, a joke. */
  readonly guard: string | undefined
  readonly isFirstPerson: boolean
  /** Its words without masked spans. */
  readonly words: string
}

const maxMaskedShare = 0.5
const endGuards: ReadonlySet<string> = new Set(['negation', 'past', 'ago'])
const functionWords: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['en', new Set('the is of my to in and i for with on at are was it we our his her'.split(' '))],
  ['de', new Set('der die das und ist ich nicht mein meine im auf mit für ein eine'.split(' '))],
])

/** Reads the turn and the sentences in which a quote stands. */
export function readQuote({
  text,
  start,
  length,
  isTranscript,
  endsValue,
}: QuoteRequest): QuoteReading {
  const end = start + length
  const turn = splitTurns(text, isTranscript).findLast((one) => one.start <= start)
  if (!turn || end > turn.start + turn.text.length) return noStatement(turn?.role)
  const [from, to] = [start - turn.start, end - turn.start]
  const masked = maskText(turn.text)
  const [quote, visible] = [turn.text.slice(from, to), masked.slice(from, to)]
  const hostile = [...findHostile(turn.text, splitPassages(turn.text))]
  const isHostile = hostile.some((passage) => passage.start < to && passage.end > from)
  if (isHostile || maskedShare(quote, visible) > maxMaskedShare) return noStatement(turn.role)
  const sentences = splitSentences(masked)
  const first = sentences.findIndex((sentence) => sentence.end > from)
  const cited = sentences.filter((sentence) => sentence.end > from && sentence.start < to)
  const guard = findContextGuard(sentences, first, cited.length) ?? findAny(cited, endsValue)
  return {
    role: turn.role,
    isStatement: true,
    guard,
    isFirstPerson: cited.some(hasFirstPerson),
    words: visible.replaceAll(maskCharacter, ' '),
  }
}

function noStatement(role: Turn['role']): QuoteReading {
  return { role, isStatement: false, guard: undefined, isFirstPerson: false, words: '' }
}

/** The sentence before makes it a story, or the one after takes it back. */
function findContextGuard(sentences: readonly Sentence[], first: number, count: number) {
  const [before, after] = [sentences[first - 1], sentences[first + count]]
  const isTaken = after !== undefined && isRetraction(languages, after)
  return (before !== undefined && isOpener(languages, before)) || isTaken ? 'context' : undefined
}

function findAny(sentences: readonly Sentence[], endsValue: boolean): string | undefined {
  for (const { tokens } of sentences) {
    const language = chooseLanguage(tokens)
    const statement = { language, tokens, at: 0, isEvent: false, isExempt: () => false }
    const guard = language && findGuard({ ...statement, language })
    if (guard !== undefined && !(endsValue && endGuards.has(guard))) return guard
  }
  return undefined
}

/** By script and function words. */
function chooseLanguage(tokens: Sentence['tokens']): CompiledLanguage | undefined {
  const count = (words: ReadonlySet<string> | undefined) =>
    tokens.filter(({ lower }) => words?.has(lower)).length
  const ideographs = tokens.filter(({ kind }) => kind === 'ideograph').length
  const isGerman = count(functionWords.get('de')) > count(functionWords.get('en'))
  const code = ideographs * 2 > tokens.length ? 'zh' : isGerman ? 'de' : 'en'
  return languages.find((language) => language.code === code)
}

function hasFirstPerson({ tokens }: Sentence): boolean {
  return languages.some(({ firstPerson, firstPossessive }) =>
    [firstPerson, firstPossessive].some((index) => findPhrases(tokens, index).length > 0),
  )
}
