import type { CompiledLanguage } from './language.ts'
import { findPhrases, phraseEnd, timeEnd } from './phrases.ts'
import type { NameIndex } from './subjects.ts'
import type { Token } from './tokens.ts'

/** Words of an introduction in front of a comma or a colon. */
const maxIntroduction = 4

interface ClauseRequest {
  readonly tokens: readonly Token[]
  readonly language: CompiledLanguage
  readonly index: NameIndex
}

/** A mark or a conjunction that joins two clauses. */
export function isJoint({ tokens, language }: ClauseRequest, at: number): boolean {
  const token = tokens[at]
  return (
    token !== undefined &&
    (/^[,;，；]$/.test(token.text) ||
      language.conjunctions.has(token.lower) ||
      /^(?:but|so|aber|then)$/.test(token.lower))
  )
}

/** The beginning of the sentence, and what stands behind its introductions. */
export function listOpenings(request: ClauseRequest): Set<number> {
  const { tokens, language } = request
  const starts = new Set([0])
  let at = 0
  for (let end = phraseEnd(tokens, at, language.introductions); end !== undefined && end > at; ) {
    at = /^[,:：，—–-]$/.test(tokens[end]?.text ?? '') ? end + 1 : end
    starts.add(at)
    end = phraseEnd(tokens, at, language.introductions)
  }
  const mark = tokens.findIndex(({ text }) => /^[:：—–-]$/.test(text))
  if (mark > 0 && isIntroduction(request, mark)) starts.add(mark + 1)
  addBehindTime(request, starts)
  return starts
}

/** `To be clear, …` is no plan. */
export function introductionEnd({
  tokens,
  language,
}: Pick<ClauseRequest, 'tokens' | 'language'>): number {
  const end = phraseEnd(tokens, 0, language.introductions) ?? 0
  return end > 1 ? end : 0
}

/** `since last March I …` */
function addBehindTime(request: ClauseRequest, starts: Set<number>): void {
  const { tokens, language } = request
  for (const start of [...starts]) {
    const time = timeEnd(tokens, start, language)
    if (time === undefined) continue
    const at = /^[,，]$/.test(tokens[time]?.text ?? '') ? time + 1 : time
    if (isSubject(request, at)) starts.add(at)
  }
}

function isSubject(request: ClauseRequest, at: number): boolean {
  const { tokens, language } = request
  return (
    isName(request, at) ||
    [language.firstPerson, language.firstPossessive, language.firstPlural].some(
      (phrases) => phraseEnd(tokens, at, phrases) !== undefined,
    )
  )
}

/** Tokens where a clause may begin. */
export function listStarts(request: ClauseRequest): number[] {
  const { tokens } = request
  const starts = listOpenings(request)
  const mark = tokens.findIndex(({ text }) => /^[,:：，—–-]$/.test(text))
  if (mark >= 0 && isIntroduction(request, mark)) starts.add(mark + 1)
  addBehindTime(request, starts)
  for (const [index, token] of tokens.entries())
    if (index > 0 && isClauseStart(request, index, token)) starts.add(index)
  return [...starts].filter((start) => start < tokens.length).toSorted((a, b) => a - b)
}

/** One word or a name in front of a colon may be a speaker. */
function isIntroduction({ tokens, language, index }: ClauseRequest, mark: number): boolean {
  const limit = language.isUnspaced ? maxIntroduction * 2 : maxIntroduction
  const { text = '' } = tokens[mark] ?? {}
  if (mark > (/^[:：]$/.test(text) ? limit * 2 : limit)) return false
  if (/^[,，]$/.test(text)) return true
  const isName = ({ lower, text }: Token, at: number) =>
    index.has(lower) || (at > 0 && /^\p{Lu}/u.test(text))
  const words = tokens.slice(0, mark)
  const isOfOther = findPhrases(words, language.reports.others).length > 0
  return mark > 1 && !isOfOther && !words.some(isName)
}

const maxAdverbWords = 3

/** `and these days I`: a joint and words that say that something is new. */
function isBehindAdverbs(request: ClauseRequest, at: number): boolean {
  const { tokens, language } = request
  return Array.from({ length: maxAdverbWords }, (_, index) => at - index - 1).some(
    (start) => isJoint(request, start - 1) && phraseEnd(tokens, start, language.changeWords) === at,
  )
}

/** A mark that ends a clause; a name in front of a colon is a speaker. */
function isBreak({ tokens, index }: ClauseRequest, at: number): boolean {
  const { lower } = tokens[at] ?? { lower: '' }
  if (/^[:：]$/.test(lower)) return at > 1 && !index.has(tokens[at - 1]?.lower ?? '')
  return /^(?:[,;，；—–(]|so|but|aber)$/.test(lower)
}

/** `, that's why Ferry …`: where the words that introduce a clause begin. */
function skipBack({ tokens, language }: ClauseRequest, at: number): number {
  const starts = [1, 2, 3].map((count) => at - count).filter((start) => start > 0)
  return starts.find((start) => phraseEnd(tokens, start, language.introductions) === at) ?? at
}

/** A known name, with or without its article. */
function isName({ tokens, language, index }: ClauseRequest, at: number): boolean {
  const start = phraseEnd(tokens, at, language.articles) ?? at
  return index.has(tokens[start]?.lower ?? '')
}

function isClauseStart(request: ClauseRequest, at: number, token: Token): boolean {
  const { tokens, language } = request
  const before = tokens[at - 1]
  if (!before) return false
  const isFirst =
    phraseEnd(tokens, at, language.firstPerson) !== undefined ||
    phraseEnd(tokens, at, language.firstPossessive) !== undefined ||
    phraseEnd(tokens, at, language.firstPlural) !== undefined ||
    (/^[,;]$/.test(before.text) && phraseEnd(tokens, at, language.reports.speakers) !== undefined)
  const isDropped =
    phraseEnd(tokens, at, language.droppedSubject) !== undefined && /^[,;]$/.test(before.text)
  if (isDropped) return true
  if (isFirst)
    return isBehindAdverbs(request, at) || isJoint(request, at - 1) || /^[—–(]$/.test(before.text)
  if (isName(request, at) && isBreak(request, skipBack(request, at) - 1)) return true
  return (
    /^[;；—–]$/.test(before.text) ||
    (isJoint(request, at - 1) &&
      /^[,，]$/.test(tokens[at - 2]?.text ?? '') &&
      token.kind !== 'mark')
  )
}
