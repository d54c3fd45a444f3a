import { toCanonicalName } from '../../knowledge/index.ts'
import type { CompiledLanguage } from './language.ts'
import type { SubjectMatch } from './patterns.ts'
import { isPersonName } from './person-name.ts'
import { phraseEnd } from './phrases.ts'
import type { EvidenceFragment, GraphNames, NamedEntity, Subject } from './statement.ts'
import { isCapitalised, type Token, tokenize } from './tokens.ts'

interface Name {
  readonly tokens: readonly string[]
  readonly subject: Subject
}

/** Subjects by the first word of their names, the longest name first. */
export type NameIndex = ReadonlyMap<string, readonly Name[]>

const projectTypes: ReadonlySet<string> = new Set(['project', 'system', 'product', 'unknown'])
interface Extras {
  readonly user: string
  readonly introduced: readonly string[]
  /** Names that are descriptions: `billing service`. */
  readonly described: readonly string[]
}

/** All names that a window of evidence may mean. A name with two meanings is left out. */
export function indexNames(
  names: GraphNames,
  fragments: readonly EvidenceFragment[],
  extras: Extras,
): NameIndex {
  const known = new Map<string, Subject | undefined>()
  for (const entity of names.entities) addEntity(known, entity)
  for (const subject of listMentioned(names, fragments, extras)) {
    const key = toCanonicalName(subject.name)
    if (key !== '' && !known.has(key)) known.set(key, subject)
  }
  addFirstNames(known)
  return toIndex(known)
}

function addEntity(
  known: Map<string, Subject | undefined>,
  { id, name, type: entityType, aliases }: NamedEntity,
): void {
  const type = toSubjectType(entityType)
  if (!type) return
  const subject: Subject = { entityId: id, name, type }
  for (const key of new Set([name, ...aliases].map(toCanonicalName))) {
    const other = known.get(key)
    known.set(key, known.has(key) && other?.entityId !== id ? undefined : subject)
  }
}

/** People who speak and projects that evidence names. */
function listMentioned(
  { speakers = [], projects = [] }: GraphNames,
  fragments: readonly EvidenceFragment[],
  { user, introduced, described }: Extras,
): Subject[] {
  const people = [...fragments.map(({ speaker }) => speaker ?? ''), ...speakers, user]
  const common = new Set(described)
  const named = [...introduced, ...projects, ...fragments.map(({ project }) => project ?? '')]
  const places = [...named, ...described]
  return [
    ...people.filter(isPersonName).map((name): Subject => ({ name: name.trim(), type: 'person' })),
    ...places.filter(isProjectName).map(
      (name): Subject => ({
        name: name.trim(),
        type: 'project',
        ...((isCommonName(name) || common.has(name)) && { isCommon: true }),
      }),
    ),
  ]
}

function toSubjectType(type: string): Subject['type'] | undefined {
  if (type === 'person') return 'person'
  return projectTypes.has(type) ? 'project' : undefined
}

/** `billing service`: a description, not a name. */
function isCommonName(name: string): boolean {
  return /^\p{Ll}[\p{L}-]* [\p{L} -]+$/u.test(name.trim())
}

/** A path is no name. */
function isProjectName(name: string): boolean {
  return !/[/\\:]/.test(name) && name.trim().length > 1 && name.length <= 60
}

/** A first name stands for a person where only one has it. */
function addFirstNames(known: Map<string, Subject | undefined>): void {
  const people = new Map<string, Set<Subject>>()
  for (const [key, subject] of known) {
    if (subject?.type !== 'person' || key !== toCanonicalName(subject.name)) continue
    const [first = '', ...rest] = key.split(' ')
    if (rest.length === 0) continue
    people.set(first, (people.get(first) ?? new Set()).add(subject))
  }
  for (const [first, subjects] of people) {
    const [only] = subjects
    if (!known.has(first) && only && subjects.size === 1) known.set(first, only)
  }
}

function toIndex(known: ReadonlyMap<string, Subject | undefined>): NameIndex {
  const index = new Map<string, Name[]>()
  for (const [key, subject] of known) {
    const tokens = tokenize(key).map(({ lower }) => lower)
    const [first] = tokens
    if (subject && first !== undefined)
      index.set(first, [...(index.get(first) ?? []), { tokens, subject }])
  }
  for (const list of index.values()) list.sort((a, b) => b.tokens.length - a.tokens.length)
  return index
}

/** The subject that stands for the speaker, if it is known. */
export function findSpeaker(index: NameIndex, speaker: string | null): Subject | undefined {
  if (!speaker) return undefined
  const tokens = tokenize(toCanonicalName(speaker)).map(({ lower }) => lower)
  const name = index
    .get(tokens[0] ?? '')
    ?.find(
      (one) =>
        one.tokens.length === tokens.length && one.tokens.every((word, at) => word === tokens[at]),
    )
  return name?.subject.type === 'person' ? name.subject : undefined
}

/** The project of a memory, where the text may mean it. */
export function findProject(index: NameIndex, project: string | null): Subject | undefined {
  if (!project) return undefined
  const tokens = tokenize(toCanonicalName(project)).map(({ lower }) => lower)
  const name = index.get(tokens[0] ?? '')?.find((one) => one.tokens.join(' ') === tokens.join(' '))
  return name?.subject.type === 'project' ? name.subject : undefined
}

export interface SubjectRequest {
  readonly tokens: readonly Token[]
  readonly language: CompiledLanguage
  readonly index: NameIndex
  readonly own: Subject | undefined
}

/** People that are named at a token, or the speaker. */
export function findPeople(
  request: SubjectRequest,
  at: number,
  isPossessive: boolean,
): SubjectMatch[] {
  const { tokens, language, own } = request
  const first = phraseEnd(
    tokens,
    at,
    isPossessive ? language.firstPossessive : language.firstPerson,
  )
  if (first !== undefined && phraseEnd(tokens, first, language.relatives) === undefined)
    return own ? [{ subject: own, end: first, isOwn: true, isStranger: false }] : []
  const named = namesAt(request, at, isPossessive).filter(
    ({ subject }) => subject.type === 'person',
  )
  const strangers = isPossessive ? [] : strangersAt(request, at)
  return [...strangers.filter(({ end }) => named.every((one) => one.end < end)), ...named]
}

/** Projects that are named at a token, with the article and the kind around them. */
export function findProjects(
  request: SubjectRequest,
  at: number,
  isPossessive: boolean,
): SubjectMatch[] {
  const { tokens, language } = request
  const start =
    phraseEnd(tokens, at, language.articles) ??
    phraseEnd(tokens, at, language.describingWords) ??
    at
  const isKind = (index: number) => language.projectKinds.has(tokens[index]?.lower ?? '')
  const froms = new Set([at, start, isKind(start) ? start + 1 : start])
  return [...froms].flatMap((from) => {
    const plain = projectsAt(request, from, false).flatMap((match) =>
      isKind(match.end) ? [{ ...match, end: match.end + 1 }, match] : [match],
    )
    return isPossessive
      ? [...toPossessive(plain, tokens), ...projectsAt(request, from, true)]
      : plain
  })
}

function projectsAt(request: SubjectRequest, at: number, isPossessive: boolean): SubjectMatch[] {
  return namesAt(request, at, isPossessive).filter(({ subject }) => subject.type === 'project')
}

/** `the Ferry service's`, `Ferry项目的` */
function toPossessive(matches: readonly SubjectMatch[], tokens: readonly Token[]): SubjectMatch[] {
  return matches.flatMap((match) => {
    const end = possessiveEnd(tokens[match.end], match.end)
    return end === undefined ? [] : [{ ...match, end }]
  })
}

function namesAt(
  { tokens, index, language }: SubjectRequest,
  at: number,
  isPossessive: boolean,
): SubjectMatch[] {
  const genitive = isPossessive ? language.genitive : undefined
  const names = firstWords(tokens[at]?.lower ?? '', genitive ?? '', language).flatMap(
    (first) => index.get(first) ?? [],
  )
  const matches = names.flatMap((name) => {
    const end = nameEnd({ tokens, language }, at, { ...name, genitive })
    if (end === undefined || !isWritten(tokens[at], name)) return []
    return [{ subject: name.subject, end, isOwn: false, isStranger: false }]
  })
  return matches.toSorted((a, b) => b.end - a.end)
}

function firstWords(word: string, genitive: string, language: CompiledLanguage): string[] {
  const plain = withoutKind(word, language)
  const base = genitive !== '' && word.endsWith(genitive) ? word.slice(0, -genitive.length) : word
  return [...new Set([word, base, plain])]
}

/** `Ferry-App` */
function withoutKind(word: string, { projectKinds }: CompiledLanguage): string {
  const hyphen = word.lastIndexOf('-')
  return hyphen > 0 && projectKinds.has(word.slice(hyphen + 1)) ? word.slice(0, hyphen) : word
}

/** A person's name begins with a capital. */
function isWritten(token: Token | undefined, { subject, tokens }: Name): boolean {
  if (!token) return false
  return (
    token.kind === 'ideograph' ||
    isCapitalised(token) ||
    (subject.type === 'project' && (tokens[0] ?? '').length > 2)
  )
}

/** `genitive` is undefined where the name is not possessive. */
function nameEnd(
  { tokens, language }: Pick<SubjectRequest, 'tokens' | 'language'>,
  at: number,
  { tokens: words, subject, genitive }: Name & { readonly genitive: string | undefined },
): number | undefined {
  const end = at + words.length
  const last = words.length - 1
  const isHere = words.every(
    (word, offset) => offset === last || tokens[at + offset]?.lower === word,
  )
  const written = tokens[end - 1]?.lower
  if (!isHere) return undefined
  if (genitive === undefined) {
    const isProject = subject.type === 'project'
    const name = isProject ? withoutKind(written ?? '', language) : written
    return [written, name].includes(words[last] ?? '') ? end : undefined
  }
  if (written === words[last]) return possessiveEnd(tokens[end], end)
  return genitive !== '' && written === `${words[last]}${genitive}` ? end : undefined
}

function possessiveEnd(token: Token | undefined, end: number): number | undefined {
  return token?.lower === "'s" || token?.text === "'" || token?.text === '的' ? end + 1 : undefined
}

/** A full name that no text has mentioned before. */
function strangersAt({ tokens, language }: SubjectRequest, at: number): SubjectMatch[] {
  let end = at
  while (end < at + 3 && isPartOfName(tokens[end], language)) end++
  const words = tokens.slice(at, end)
  if (words.length < 2 || isPartOfName(tokens[end], language)) return []
  const name = words.map(({ text }) => text).join(' ')
  if (!isPersonName(name)) return []
  return [{ subject: { name, type: 'person' }, end, isOwn: false, isStranger: true }]
}

export function isPartOfName(token: Token | undefined, language: CompiledLanguage): boolean {
  if (!token || !/^\p{Lu}\p{Ll}/u.test(token.text)) return false
  return !language.notNames.has(token.lower) && !language.calendar.has(token.lower)
}
