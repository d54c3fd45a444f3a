import { invalidRequest } from '../../kernel/errors/refusal.ts'

/** Characters of a canonical name. */
const maxNameLength = 200

/** The identity of a name: case, spacing, width and invisible characters do not matter. */
export function toCanonicalName(name: string): string {
  return collapse(name).toLowerCase().normalize('NFKC')
}

/** Normal form with its case. */
function collapse(name: string): string {
  return name
    .toWellFormed()
    .normalize('NFKC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .replaceAll(/ +/g, ' ')
    .trim()
}

/** The identity of a group or claim key. */
export function toCanonicalKey(key: string): string {
  return toCanonicalName(key).replaceAll(' ', '_')
}

const printableAscii = /^[ -~]*$/

/** The form in which prompts are searched: words of letters, marks and digits. */
export function toPhrase(name: string): string {
  const isAscii = printableAscii.test(name)
  // ASCII needs no normalization.
  const canonical = isAscii ? name.toLowerCase() : toCanonicalName(name)
  return canonical
    .replaceAll(/['’]s\b/g, '')
    .replaceAll(isAscii ? /[^a-z0-9]+/g : /[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

const minWordLength = 4

/** The longer words of a phrase, by which a part of a name finds the entity. */
export function listWords(phrase: string): string[] {
  const words = phrase.split(' ').filter((word) => [...word].length >= minWordLength)
  return words.length === 1 && words[0] === phrase ? [] : [...new Set(words)]
}

/** `editors` and `editing` have the stem of `edit`. */
export function toStem(word: string): string {
  if (word.length < 5) return word.replace(/(?<=[^s])s$/, '')
  return word.replace(/ies$/, 'y').replace(/(?:ings?|ed|ors?|ers?|s)$/, '')
}

/** A name as it is displayed, with its canonical form. Refuses an empty or too long name. */
export function parseName(input: string, field: string) {
  if (input.includes('\0')) throw invalidRequest(`${field} must not contain NUL`)
  const name = collapse(input)
  const canonicalName = toCanonicalName(name)
  if (canonicalName === '') throw invalidRequest(`${field} is required`)
  if ([...canonicalName].length > maxNameLength)
    throw invalidRequest(`${field} must have at most ${maxNameLength} characters`)
  return { name, canonicalName }
}

/** A key in its canonical form. */
export function parseKey(input: string, field: string): string {
  return parseName(input, field).canonicalName.replaceAll(' ', '_')
}
