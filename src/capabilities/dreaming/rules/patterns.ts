import { type CompiledFrame, hasRole, type Item, type Role } from './frames.ts'
import { type PhraseIndex, phraseEnd, type Span, timeEnd, wordsEnd } from './phrases.ts'
import type { Subject } from './statement.ts'
import { isCapitalised, type Token } from './tokens.ts'

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
    Record<
      'adverbs' | 'changeWords' | 'adjectives' | 'newAdjectives' | 'timePrepositions',
      PhraseIndex
    >
  > & { readonly isUnspaced: boolean; readonly timeNouns: ReadonlySet<string> }
  /** The readings of a role at a token, longest first. */
  subjectsAt(role: 'S' | 'SS' | 'ME' | 'IT' | 'P' | 'PS', at: number): readonly SubjectMatch[]
  groupEnd(at: number): number | undefined
  roleEnds(at: number): readonly number[]
  nounsAt(at: number, kind: NounKind): readonly { readonly noun: string; readonly end: number }[]
}

type Modifier = Exclude<Item['kind'], 'one-of'>

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

function matchItems(
  reader: Reader,
  [item, ...rest]: readonly Item[],
  state: State,
): State | undefined {
  if (item === undefined) return state
  if (item.kind !== 'one-of') return matchModifiers(reader, item.kind, rest, state)
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

/** Words of a modifier, and a time behind them where the rest needs it: `I moved over the summer to`. */
function matchModifiers(
  reader: Reader,
  kind: Modifier,
  rest: readonly Item[],
  state: State,
): State | undefined {
  const skipped = skipModifiers(reader, kind, state)
  for (const next of skipped) {
    const found = matchItems(reader, rest, next)
    if (found) return found
  }
  const [longest] = skipped
  if (!longest || kind !== 'adverbs') return undefined
  const end = timeEnd(reader.tokens, longest.at, reader.language)
  const [behind] = end === undefined ? [] : skipModifiers(reader, kind, advance(longest, end))
  return behind && matchItems(reader, rest, behind)
}

function advance(state: State, end: number): State {
  const used = Array.from({ length: end - state.at }, (_, index) => state.at + index)
  return { ...state, at: end, used: [...state.used, ...used] }
}

/**
 * The states behind the words of a modifier, the longest first. What follows may begin like a
 * modifier: `at home in Ferrol`, `就职于`.
 */
function skipModifiers(reader: Reader, kind: Modifier, from: State): State[] {
  if (kind === 'boundary') return (reader.tokens[from.at]?.kind ?? 'mark') === 'mark' ? [from] : []
  const { tokens, language } = reader
  const [plain, change] =
    kind === 'adjectives'
      ? [language.adjectives, language.newAdjectives]
      : [language.adverbs, language.changeWords]
  const states = [from]
  for (let next = skipOne(tokens, from, plain, change); next; ) {
    states.unshift(next)
    next = skipOne(tokens, next, plain, change)
  }
  return kind === 'change' ? states.slice(0, -1) : states
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
  if (rest.every((item) => (item.kind === 'one-of' ? item.isOptional : item.kind !== 'boundary')))
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

/** `我对虾严重过敏`: an adverb of two ideographs is no part of the value in front of it. */
function isBehindAdverb(tokens: readonly Token[], { start, end }: Span, adverbs: PhraseIndex) {
  return end - 2 > start && phraseEnd(tokens, end - 2, adverbs) === end
}

/** Ends of a value, the likeliest first: the second ideograph of a name may be the word behind it. */
function listEnds({ tokens, language }: Reader, start: number): number[] {
  const count = Math.max(tokens.length - start, 0)
  const all = Array.from({ length: count }, (_, at) => start + at + 1)
  if (!language.isUnspaced || tokens[start]?.kind !== 'ideograph') return all
  const ends = all.filter((end) => !isBehindAdverb(tokens, { start, end }, language.adverbs))
  const mark = ends.findIndex((end) => tokens[end]?.kind === 'mark')
  const inClause = mark < 0 ? count : mark
  return [...ends.slice(1, inClause), ...ends.slice(0, 1), ...ends.slice(Math.max(inClause, 1))]
}
