import { languages } from './language.ts'
import { phraseEnd } from './phrases.ts'
import type { Sentence } from './sentences.ts'
import type { Token } from './tokens.ts'

/** Words that a statement has at least in front of a closing remark. */
const minWords = 3
/** `took ages btw` */
const maxClosers = 2

/** A remark that ends a sentence without a mark says nothing: `I moved to Ferrol more on that later`. */
export function withoutCloser(sentence: Sentence): Sentence {
  let { tokens } = sentence
  for (let count = 0; count < maxClosers; count++) {
    const at = tokens.findIndex((_, index) => index >= minWords && isCloser(tokens, index))
    if (at < 0) break
    tokens = tokens.slice(0, tokens[at - 1]?.kind === 'mark' ? at - 1 : at)
  }
  const last = tokens.at(-1)
  return tokens === sentence.tokens || !last ? sentence : { ...sentence, tokens, end: last.end }
}

function isCloser(tokens: readonly Token[], at: number): boolean {
  return languages.some(({ closers, openClosers }) => {
    if (phraseEnd(tokens, at, openClosers) !== undefined) return isAffirmed(tokens)
    const end = phraseEnd(tokens, at, closers)
    return end !== undefined && tokens.slice(end).every(({ text }) => /^[.!。！)]$/.test(text))
  })
}

function isAffirmed(tokens: readonly Token[]): boolean {
  return !tokens.some(({ text }) => /^[?？]$/.test(text))
}
