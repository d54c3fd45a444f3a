import type { Frame } from './language-table.ts'
import { compilePhrases, type PhraseIndex, toWords } from './phrases.ts'

export type Role =
  | 'S'
  | 'SS'
  | 'ME'
  | 'IT'
  | 'P'
  | 'PS'
  | 'WE'
  | 'N'
  | 'K'
  | 'ROLE'
  | 'V'
  | 'F'
  | 'SKIP'
  | 'COLON'

export type Item =
  | { readonly kind: 'adverbs' | 'change' | 'adjectives' | 'boundary' }
  | {
      readonly kind: 'one-of'
      readonly isOptional: boolean
      readonly words: readonly (readonly string[])[]
      readonly roles: readonly Role[]
    }

export interface CompiledFrame extends Omit<Frame, 'patterns' | 'after' | 'unless'> {
  readonly after: PhraseIndex | undefined
  readonly unless: PhraseIndex | undefined
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

export function compileFrame({ patterns, after, unless, ...frame }: Frame): CompiledFrame {
  const variants = patterns.flatMap(expand)
  return {
    ...frame,
    after: after === undefined ? undefined : compilePhrases(after),
    unless: unless === undefined ? undefined : compilePhrases(unless),
    patterns: variants.map(compilePattern),
  }
}

function compilePattern(pattern: string): Pattern {
  const items = pattern.split(' ').map(compileItem)
  const required = items.flatMap((item) =>
    item.kind !== 'one-of' || item.isOptional || item.roles.length > 0
      ? []
      : [item.words.map(([word = '']) => word)],
  )
  const isPerson = !items.some((item) =>
    ['P', 'PS', 'IT'].some((role) => hasRole(item, role as Role)),
  )
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
  if (text === '!') return { kind: 'change' }
  if (text === '$') return { kind: 'boundary' }
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

export function hasRole(item: Item | undefined, role: Role): boolean {
  return item?.kind === 'one-of' && item.roles.includes(role)
}
