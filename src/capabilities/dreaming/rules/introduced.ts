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
 * Parts of a system that a sentence describes by their kind: `the billing service`, `unser
 * Testserver`, `我们的测试数据库`. The description is the name. The kind alone is not a name.
 */
export function findDescribed(tokens: readonly Token[], language: CompiledLanguage): string[] {
  const read = language.isUnspaced
    ? readUnspaced
    : language.isCompounding
      ? readCompound
      : readWords
  return tokens.flatMap((_, at) => {
    const start = phraseEnd(tokens, at, language.describingWords)
    return start === undefined ? [] : read(tokens.slice(start), language)
  })
}

/** `billing service`: one or two words in front of a kind. */
function readWords(tokens: readonly Token[], language: CompiledLanguage): string[] {
  for (const count of [1, 2]) {
    const words = tokens.slice(0, count)
    const kind = tokens[count]
    if (kind && language.describedKinds.has(kind.lower) && words.every(isPlain(language)))
      return [[...words, kind].map(({ lower }) => lower).join(' ')]
  }
  return []
}

const minQualifier = 3

/** `Testserver`: one word that ends with a kind. */
function readCompound([token]: readonly Token[], language: CompiledLanguage): string[] {
  if (!token || !/^\p{Lu}\p{Ll}[\p{L}-]+$/u.test(token.text)) return []
  const kind = [...language.describedKinds].find((one) => token.lower.endsWith(one))
  const qualifier = token.lower.slice(0, -(kind?.length ?? 0)).replace(/-$/, '')
  const isMeant = kind !== undefined && qualifier.length >= minQualifier
  return isMeant && !language.undescribed.has(qualifier) ? [token.text] : []
}

const maxDescription = 8

/** `测试数据库`: two ideographs or more in front of a kind. */
function readUnspaced(tokens: readonly Token[], language: CompiledLanguage): string[] {
  const length = tokens.findIndex(({ kind }) => kind !== 'ideograph')
  const words = tokens.slice(0, length < 0 ? maxDescription : Math.min(length, maxDescription))
  for (const end of words.keys()) {
    const name = words
      .slice(0, end + 1)
      .map(({ text }) => text)
      .join('')
    const kind = [...language.describedKinds].find((one) => name.endsWith(one))
    if (kind === undefined) continue
    const qualifier = name.slice(0, -kind.length)
    const isMeant = qualifier.length > 1 && !/[的是用在把将和跟]/u.test(qualifier)
    return isMeant && !language.undescribed.has(qualifier) ? [name] : []
  }
  return []
}

function isPlain({ undescribed, emptyValues, states }: CompiledLanguage) {
  return ({ text, lower }: Token) =>
    /^\p{Ll}[\p{Ll}-]{2,}$/u.test(text) &&
    !undescribed.has(lower) &&
    !emptyValues.has(lower) &&
    !states.has(lower)
}
