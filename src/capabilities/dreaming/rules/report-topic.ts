import { findPhrases, phraseEnd } from './phrases.ts'
import { isPlainNoun, type ReportRequest } from './reported-values.ts'
import { findProjects } from './subjects.ts'

/** `the logs of Ferry` are not Ferry. */
export function isOfPart(request: ReportRequest): boolean {
  const { tokens, language } = request
  const { slots, changes, ends, sources } = language.reports
  const known = [...slots.map(([, phrases]) => phrases), changes, ends, sources]
  const isKnown = (at: number) =>
    known.some((phrases) =>
      findPhrases(tokens, phrases).some(({ start, end }) => at >= start && at < end),
    )
  const isName = (at: number) => findProjects(request, at, false).length > 0
  if (tokens.some((_, at) => isName(at) && isCompound(request, at + 1, isKnown))) return true
  return tokens.some(({ lower }, at) => {
    const noun = tokens[at - 1]
    if (!/^(?:of|von)$/.test(lower) || noun?.kind !== 'word') return false
    return isName(at + 1) && !language.projectNouns.has(noun.lower) && !isKnown(at - 1)
  })
}

const maxCompound = 6

/** `the Ferry slides`: the name of a project is part of another name. */
function isCompound(
  { tokens, language }: ReportRequest,
  at: number,
  isKnown: (at: number) => boolean,
): boolean {
  const { projectNouns, projectKinds } = language
  const isOwn = (place: number) =>
    isKnown(place) ||
    [projectNouns, projectKinds].some((words) => words.has(tokens[place]?.lower ?? ''))
  if (!language.isUnspaced) {
    const isNamed = phraseEnd(tokens, at - 2, language.articles) === at - 1
    return isNamed && isPlainNoun(tokens, at, language) && !isOwn(at)
  }
  const end = tokens.findIndex(({ text }, place) => place >= at && text === '的')
  const words = tokens.slice(at, Math.max(at, end))
  const isNoun = words.length > 2 && words.length <= maxCompound
  return isNoun && words.every(({ kind }, index) => kind === 'ideograph' && !isOwn(at + index))
}

/** `I read the code of Ferry`, `Ferry was written in Go`: no statement of how things are now. */
export function isAside({ tokens, language }: ReportRequest): boolean {
  const { firstPerson, firstPossessive, reports } = language
  return [firstPerson, firstPossessive, reports.passives].some(
    (phrases) => findPhrases(tokens, phrases).length > 0,
  )
}
