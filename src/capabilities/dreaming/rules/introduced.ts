import type { CompiledLanguage } from './language.ts'
import { phraseEnd } from './phrases.ts'
import { isPartOfName } from './subjects.ts'
import type { Token } from './tokens.ts'

/** Names of projects that a sentence introduces by their kind: `the Ferry service`, `project Ferry`. */
export function findIntroduced(tokens: readonly Token[], language: CompiledLanguage): string[] {
  const isKind = (at: number) => language.introducingKinds.has(tokens[at]?.lower ?? '')
  const isNameAt = (at: number) => {
    const token = tokens[at]
    return isPartOfName(token, language) && !/^\p{Lu}+$/u.test(token?.text ?? '')
  }
  return tokens.flatMap((_, at) => {
    if (!isKind(at)) return []
    const before =
      isNameAt(at - 1) &&
      !isNameAt(at - 2) &&
      phraseEnd(tokens, at - 2, language.articles) === at - 1
    const after = isNameAt(at + 1) && !isNameAt(at + 2)
    const token = before ? tokens[at - 1] : after ? tokens[at + 1] : undefined
    return token ? [token.text] : []
  })
}

/**
 * Parts of a system that a sentence describes by their kind: `the billing service`. The description
 * is the name. A single word is not a name.
 */
export function findDescribed(tokens: readonly Token[], language: CompiledLanguage): string[] {
  return tokens.flatMap((_, at) => {
    const start = phraseEnd(tokens, at, language.describingWords)
    if (start === undefined) return []
    for (const count of [1, 2]) {
      const words = tokens.slice(start, start + count)
      const kind = tokens[start + count]
      if (kind && language.describedKinds.has(kind.lower) && words.every(isPlain(language)))
        return [[...words, kind].map(({ lower }) => lower).join(' ')]
    }
    return []
  })
}

function isPlain({ undescribed, emptyValues, states }: CompiledLanguage) {
  return ({ text, lower }: Token) =>
    /^\p{Ll}[\p{Ll}-]{2,}$/u.test(text) &&
    !undescribed.has(lower) &&
    !emptyValues.has(lower) &&
    !states.has(lower)
}
