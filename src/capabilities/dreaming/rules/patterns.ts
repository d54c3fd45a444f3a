import type { Frame } from './language-table.ts'
import { type PhraseIndex, phraseEnd, type Span, toWords, wordsEnd } from './phrases.ts'
import type { Subject } from './statement.ts'
import { isCapitalised, type Token } from './tokens.ts'

type Role = 'S' | 'SS' | 'P' | 'PS' | 'WE' | 'N' | 'K' | 'ROLE' | 'V' | 'F' | 'SKIP' | 'COLON'

type Item =
  | { readonly kind: 'adverbs' | 'adjectives' }
  | {
      readonly kind: 'one-of'
      readonly isOptional: boolean
      readonly words: readonly (readonly string[])[]
      readonly roles: readonly Role[]
    }

export interface CompiledFrame extends Omit<Frame, 'patterns'> {
  readonly patterns: readonly Pattern[]
}

export interface Pattern {
  readonly items: readonly Item[]
  /** One word of each of these must occur in the sentence. */
  readonly required: readonly (readonly string[])[]
  /** It speaks of people only. */
  readonly isPerson: boolean
  /** It has a value before and one after a change. */
  readonly isDouble: boolean
}

export interface SubjectMatch {
  readonly subject: Subject
  readonly end: number
  /** The speaker means itself. */
  readonly isOwn: boolean
  /** No text has mentioned this name yet. */
  readonly isStranger: boolean
}

/** What a pattern has found; spans count tokens. */
export interface Match {
  readonly frame: CompiledFrame
  readonly subjects: readonly SubjectMatch[]
  readonly values: Readonly<Partial<Record<'V' | 'F', Span>>>
  readonly noun: string | undefined
  readonly hasChangeWord: boolean
  /** Tokens that the words of the pattern have used. */
  readonly used: ReadonlySet<number>
  readonly end: number
}

/** Nouns of people and known nouns come from a list; projects have any but vague ones. */
export type NounKind = 'person' | 'known' | 'project'

/** What patterns look up in a sentence. */
export interface Reader {
  readonly tokens: readonly Token[]
  /** Those that the words of the sentence allow. */
  readonly frames: readonly CompiledFrame[]
  readonly language: Readonly<
    Record<'adverbs' | 'changeWords' | 'adjectives' | 'newAdjectives', PhraseIndex>
  > & { readonly isUnspaced: boolean }
  /** The readings of a role at a token, longest first. */
  subjectsAt(role: 'S' | 'SS' | 'P' | 'PS', at: number): readonly SubjectMatch[]
  groupEnd(at: number): number | undefined
  roleEnds(at: number): readonly number[]
  nounsAt(at: number, kind: NounKind): readonly { readonly noun: string; readonly end: number }[]
}

export function compileFrame({ patterns, ...frame }: Frame): CompiledFrame {
  const variants = patterns.flatMap(expand)
  return { ...frame, patterns: variants.map(compilePattern) }
}

function compilePattern(pattern: string): Pattern {
  const items = pattern.split(' ').map(compileItem)
  const required = items.flatMap((item) =>
    item.kind !== 'one-of' || item.isOptional || item.roles.length > 0
      ? []
      : [item.words.map(([word = '']) => word)],
  )
  const isPerson = !items.some((item) => hasRole(item, 'P') || hasRole(item, 'PS'))
  const isDouble = items.some((item) => hasRole(item, 'F'))
  return { items, required, isPerson, isDouble }
}

/** An optional group of several items makes two patterns: with it and without it. */
function expand(pattern: string): string[] {
  const group = /\[([^[\]]* [^[\]]*)\] ?/.exec(pattern)
  if (!group) return [pattern.trim()]
  const [before, after] = [
    pattern.slice(0, group.index),
    pattern.slice(group.index + group[0].length),
  ]
  return [`${before}${group[1]} ${after}`, `${before}${after}`].flatMap(expand)
}

function compileItem(text: string): Item {
  if (text === '~') return { kind: 'adverbs' }
  if (text === '^') return { kind: 'adjectives' }
  const isOptional = text.startsWith('[')
  const parts = (isOptional ? text.slice(1, -1) : text).split('|')
  const roles = parts
    .filter((part) => part.startsWith('<'))
    .map((part) => part.slice(1, -1) as Role)
  const literals = parts.filter((part) => !part.startsWith('<'))
  return {
    kind: 'one-of',
    isOptional,
    // The longest first: `given up on` contains `given up`.
    words: literals.flatMap(toWords).toSorted((a, b) => b.length - a.length),
    roles,
  }
}

interface State {
  /** The pattern has no project. */
  readonly isPerson: boolean
  readonly at: number
  readonly subjects: readonly SubjectMatch[]
  readonly values: Match['values']
  readonly noun: string | undefined
  readonly hasChangeWord: boolean
  readonly used: readonly number[]
}

/** The first match of each pattern at a token. `inherited` is the subject of the clause before. */
export function matchFrame(
  reader: Reader,
  frame: CompiledFrame,
  at: number,
  inherited?: SubjectMatch,
): Match[] {
  const start = { at, values: {}, noun: undefined, hasChangeWord: false, used: [] }
  return frame.patterns.flatMap(({ items, isPerson }) => {
    const role = inherited?.subject.type === 'project' ? 'P' : 'S'
    if (inherited && !hasRole(items[0], role)) return []
    const found = inherited
      ? matchItems(reader, items.slice(1), { ...start, isPerson, subjects: [inherited] })
      : matchItems(reader, items, { ...start, isPerson, subjects: [] })
    if (!found) return []
    const { subjects, values, noun, hasChangeWord, used, at: end } = found
    return [{ frame, subjects, values, noun, hasChangeWord, used: new Set(used), end }]
  })
}

function hasRole(item: Item | undefined, role: Role): boolean {
  return item?.kind === 'one-of' && item.roles.includes(role)
}

function matchItems(
  reader: Reader,
  [item, ...rest]: readonly Item[],
  state: State,
): State | undefined {
  if (item === undefined) return state
  if (item.kind !== 'one-of')
    return matchItems(reader, rest, skipModifiers(reader, item.kind, state))
  for (const words of item.words) {
    const end = wordsEnd(reader.tokens, state.at, words)
    const found = end === undefined ? undefined : matchItems(reader, rest, advance(state, end))
    if (found) return found
  }
  for (const role of item.roles) {
    const found = matchRole(reader, role, rest, state)
    if (found) return found
  }
  return item.isOptional ? matchItems(reader, rest, state) : undefined
}

function advance(state: State, end: number): State {
  const used = Array.from({ length: end - state.at }, (_, index) => state.at + index)
  return { ...state, at: end, used: [...state.used, ...used] }
}

function skipModifiers(reader: Reader, kind: 'adverbs' | 'adjectives', from: State): State {
  const { tokens, language } = reader
  const [plain, change] =
    kind === 'adverbs'
      ? [language.adverbs, language.changeWords]
      : [language.adjectives, language.newAdjectives]
  let state = from
  for (;;) {
    const next = skipOne(tokens, state, plain, change)
    if (!next) return state
    state = next
  }
}

/** A capital belongs to a name. */
function skipOne(
  tokens: readonly Token[],
  state: State,
  plain: PhraseIndex,
  change: PhraseIndex,
): State | undefined {
  const token = tokens[state.at]
  if (!token) return undefined
  if (/^[,，]$/.test(token.text)) return { ...state, at: state.at + 1 }
  if (state.at > 0 && isCapitalised(token)) return undefined
  const changeEnd = phraseEnd(tokens, state.at, change)
  if (changeEnd !== undefined) return { ...advance(state, changeEnd), hasChangeWord: true }
  const end = phraseEnd(tokens, state.at, plain)
  return end === undefined ? undefined : advance(state, end)
}

function matchRole(
  reader: Reader,
  role: Role,
  rest: readonly Item[],
  state: State,
): State | undefined {
  if (role === 'V' || role === 'F') return matchValue(reader, role, rest, state)
  for (const next of readRole(reader, role, state)) {
    const found = matchItems(reader, rest, next)
    if (found) return found
  }
  return undefined
}

/** The states after a role that is no value. */
function readRole(reader: Reader, role: Exclude<Role, 'V' | 'F'>, state: State): State[] {
  const { tokens } = reader
  switch (role) {
    case 'COLON':
      return /^[:：–—-]$/.test(tokens[state.at]?.text ?? '') ? [advance(state, state.at + 1)] : []
    case 'WE': {
      const end = reader.groupEnd(state.at)
      return end === undefined ? [] : [advance(state, end)]
    }
    case 'SKIP':
      return [1, 2, 3].map((count) => advance(state, state.at + count))
    case 'ROLE':
      return reader.roleEnds(state.at).map((end) => advance(state, end))
    case 'N':
    case 'K':
      return reader
        .nounsAt(state.at, nounKind(role, state))
        .map(({ noun, end }) => ({ ...advance(state, end), noun }))
    default:
      return reader.subjectsAt(role, state.at).map((subject) => ({
        ...advance(state, subject.end),
        subjects: [...state.subjects, subject],
      }))
  }
}

/** A value goes to the next part of its pattern, or to the end of the sentence. */
function matchValue(
  reader: Reader,
  role: 'V' | 'F',
  rest: readonly Item[],
  state: State,
): State | undefined {
  const count = reader.tokens.length
  const withValue = (end: number): State => ({
    ...state,
    at: end,
    values: { ...state.values, [role]: { start: state.at, end } },
  })
  if (rest.every((item) => item.kind !== 'one-of' || item.isOptional))
    return state.at < count ? withValue(count) : undefined
  for (const end of listEnds(reader, state.at)) {
    const found = matchItems(reader, rest, withValue(end))
    if (found) return found
  }
  return undefined
}

function nounKind(role: 'N' | 'K', { isPerson }: State): NounKind {
  if (isPerson) return 'person'
  return role === 'K' ? 'known' : 'project'
}

/** Ends of a value, the likeliest first: the second ideograph of a name may be the word behind it. */
function listEnds({ tokens, language }: Reader, start: number): number[] {
  const count = Math.max(tokens.length - start - 1, 0)
  const ends = Array.from({ length: count }, (_, at) => start + at + 1)
  if (!language.isUnspaced || tokens[start]?.kind !== 'ideograph') return ends
  const mark = ends.findIndex((end) => tokens[end]?.kind === 'mark')
  const inClause = mark < 0 ? count : mark
  return [...ends.slice(1, inClause), ...ends.slice(0, 1), ...ends.slice(Math.max(inClause, 1))]
}
