import { isJoint, listOpenings } from './clauses.ts'
import type { CompiledLanguage } from './language.ts'
import type { SubjectMatch } from './patterns.ts'
import { phraseEnd } from './phrases.ts'
import type { Subject } from './statement.ts'
import { findPeople, findProjects, type NameIndex } from './subjects.ts'
import type { Token } from './tokens.ts'

export interface SentenceRequest {
  readonly tokens: readonly Token[]
  readonly language: CompiledLanguage
  readonly index: NameIndex
  /** The speaker, whom `I` means. */
  readonly own: Subject | undefined
  /** The sentence before. */
  readonly before?: readonly Token[] | undefined
}

/** The readings of a role at a token. */
export function findSubjects(
  request: SentenceRequest,
  role: 'S' | 'SS' | 'ME' | 'IT' | 'P' | 'PS',
  at: number,
): readonly SubjectMatch[] {
  if (role === 'S' || role === 'SS') return findPeople(request, at, role === 'SS')
  if (role === 'ME')
    return request.own && (listOpenings(request).has(at) || isNextClause(request, at))
      ? [{ subject: request.own, end: at, isOwn: true, isStranger: false }]
      : []
  if (role === 'IT') return findTopic(request, at, at)
  return [...findProjects(request, at, role === 'PS'), ...findMeantByPronoun(request, role, at)]
}

/** `We have moved, our new flat is in Ferrol`: the speaker in both clauses. */
function isNextClause(request: SentenceRequest, at: number): boolean {
  const { tokens, language } = request
  const isFirstPerson = (start: number) =>
    phraseEnd(tokens, start, language.reports.speakers) !== undefined
  return (
    isJoint(request, at - 1) && isFirstPerson(at) && [...listOpenings(request)].some(isFirstPerson)
  )
}

/** `Ferry has left AWS. It runs on Azure`: the only project that has been named. */
function findMeantByPronoun(
  request: SentenceRequest,
  role: 'P' | 'PS',
  at: number,
): readonly SubjectMatch[] {
  const { tokens, language } = request
  const words = role === 'P' ? language.projectPronouns : language.projectPossessives
  const end = phraseEnd(tokens, at, words)
  if (end === undefined) return []
  return findTopic(request, at, end)
}

/** The only project that the sentence so far, or else the one before, has named. */
function findTopic(request: SentenceRequest, at: number, end: number): readonly SubjectMatch[] {
  const here = listProjects({ ...request, tokens: request.tokens.slice(0, at) })
  const named = here.length > 0 ? here : listProjects({ ...request, tokens: request.before ?? [] })
  const [subject] = named
  if (!subject || named.length > 1) return []
  return [{ subject, end, isOwn: false, isStranger: false }]
}

function listProjects(request: SentenceRequest): Subject[] {
  const found = new Map<string, Subject>()
  for (const at of request.tokens.keys())
    for (const { subject, end } of findProjects(request, at, false))
      if (request.tokens[end]?.lower !== "'s") found.set(subject.name, subject)
  return [...found.values()]
}
