import type { CompiledLanguage } from './language.ts'
import type { ValueKind } from './language-table.ts'
import { findPhrases, phraseEnd, type Span } from './phrases.ts'
import { findPeople, findProjects, type SubjectRequest } from './subjects.ts'
import { classOf } from './technologies.ts'
import type { Token } from './tokens.ts'

/** Kinds of which no value is a person. */
const impersonal: ReadonlySet<ValueKind> = new Set([
  'place',
  'organization',
  'company',
  'tool',
  'technology',
  'phrase',
])
/** `I joined Ferry as a tester`: a project employs no person. */
const employers: ReadonlySet<ValueKind> = new Set(['organization', 'company'])
/** Kinds of which no value is a database, an editor or the like. */
const nonTechnical: ReadonlySet<ValueKind> = new Set(['place', 'company', 'person'])
/** Guards of which the words are no part of a name. */
const foreign: ReadonlySet<string> = new Set(['hypothesis', 'question', 'reported'])

/** A person where something else is expected, or a single word that names no known person. */
export function isWrongName(
  request: SubjectRequest,
  values: readonly Span[],
  kind: ValueKind,
): boolean {
  if (nonTechnical.has(kind) && values.some((value) => isTechnology(request, value))) return true
  if (kind === 'role' && values.some((value) => holdsProject(request, value))) return true
  if (employers.has(kind) && values.some((value) => isProject(request, value))) return true
  if (kind === 'place' && values.some((value) => isCompany(textOf(request, value)))) return true
  if (impersonal.has(kind)) return values.some((value) => isKnownPerson(request, value))
  return kind === 'person' && values.some((value) => isNoPerson(request, value))
}

/** Last words of companies. */
const companies: ReadonlySet<string> = new Set(
  `ag airlines bank capital clinic consulting corp corporation dynamics electronics energy engineering films foods
  foundation freight games gmbh group health hospital inc industries insurance interactive labs laboratories logistics
  ltd media motors networks partners pharma pictures press productions publishing records robotics security semiconductors
  software solutions studios systems technologies technology telecom ventures works`.split(/\s+/),
)

/** `I moved over to Osprey Films` is no move to a place. */
export function isCompany(name: string): boolean {
  const words = name.toLowerCase().split(' ')
  return words.length > 1 && companies.has(words.at(-1) ?? '')
}

/** `the owner of Ferry` says whose Ferry is. */
function holdsProject(request: SubjectRequest, { start, end }: Span): boolean {
  return request.tokens.some(
    (_, at) => at > start && at < end && findProjects(request, at, false).length > 0,
  )
}

function isProject(request: SubjectRequest, { start, end }: Span): boolean {
  return findProjects(request, start, false).some((project) => project.end === end)
}

/** `I moved to Neovim` is no move of a person. */
function isTechnology(request: SubjectRequest, value: Span): boolean {
  return classOf(textOf(request, value)) !== undefined
}

function textOf({ tokens }: SubjectRequest, { start, end }: Span): string {
  return tokens
    .slice(start, end)
    .map(({ text }) => text)
    .join(' ')
}

function isKnownPerson(request: SubjectRequest, { start, end }: Span): boolean {
  return findPeople(request, start, false).some(
    (person) => !person.isStranger && !person.isOwn && person.end === end,
  )
}

/** `the Hosting`, `Data`, `如果我`; a team may have an article. */
function isNoPerson(request: SubjectRequest, value: Span): boolean {
  const { tokens, language } = request
  const words = tokens.slice(value.start, value.end)
  if (isKnownPerson(request, value) || language.thingNouns.has(words.at(-1)?.lower ?? ''))
    return false
  if (language.isUnspaced) return holdsOtherWords(language, words)
  return words.length < 2 || phraseEnd(words, 0, language.articles) !== undefined
}

function holdsOtherWords(language: CompiledLanguage, words: readonly Token[]): boolean {
  return (
    phraseEnd(words, words.length - 1, language.firstPerson) !== undefined ||
    language.guards.some(
      ([kind, phrases]) => foreign.has(kind) && findPhrases(words, phrases).length > 0,
    )
  )
}
