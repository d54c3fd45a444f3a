/** Only the beginning of a longer text is indexed. */
const maxTextLength = 250_000
const maxTermLength = 64
const characterWeight = 0.3

const spaceless =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー'
const runs = new RegExp(`[${spaceless}]+|(?:(?![${spaceless}])[\\p{L}\\p{N}\\p{M}'])+`, 'gu')
const startsSpaceless = new RegExp(`^[${spaceless}]`, 'u')
const spacelessPattern = new RegExp(`[${spaceless}]`, 'u')
const latinMarks = /[\u0300-\u036f]/g
/** At the end of a word, lower case has another form of the letter. */
const finalSigma = 'ς'
const asciiOnly = /^[\0-\x7f]*$/
const asciiRuns = /[a-z0-9']+/g

/**
 * Terms of a text, with repetitions: folded and stemmed words, single characters and pairs of them
 * in scripts without spaces. Stop words are dropped.
 */
export function readTerms(text: string): string[] {
  const terms: string[] = []
  const folded = fold(text)
  if (asciiOnly.test(folded)) {
    for (const run of folded.match(asciiRuns) ?? []) pushWord(terms, run)
    return terms
  }
  for (const [run] of folded.matchAll(runs)) {
    if (startsSpaceless.test(run)) pushPairs(terms, run)
    else pushWord(terms, run)
  }
  return terms
}

/** Weight of a term besides its IDF: single characters of words count less. */
export function termWeight(term: string): number {
  const [first = '', ...others] = term
  return others.length === 0 && startsSpaceless.test(first) ? characterWeight : 1
}

/** Whether the text contains a script without spaces. */
export function isSpaceless(text: string): boolean {
  return spacelessPattern.test(text)
}

/** Folds case and accents; keeps stop words. */
export function fold(text: string): string {
  const head = text.slice(0, maxTextLength)
  if (asciiOnly.test(head)) return head.toLowerCase()
  return head
    .toWellFormed()
    .normalize('NFD')
    .replaceAll(latinMarks, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(finalSigma, 'σ')
    .replaceAll('’', "'")
}

function pushWord(terms: string[], run: string): void {
  if (isStopWord(run)) return
  if (!run.includes("'")) {
    terms.push(stem(run.slice(0, maxTermLength)))
    return
  }
  for (const part of run.replace(/'s$/, '').split("'")) {
    if (part === '' || isStopWord(part)) continue
    const isLetter = part.length === 1 && part !== run && !/\d/.test(part)
    if (!isLetter) terms.push(stem(part.slice(0, maxTermLength)))
  }
}

function pushPairs(terms: string[], run: string): void {
  const characters = [...run]
  terms.push(...characters)
  for (let at = 1; at < characters.length; at++)
    terms.push(`${characters[at - 1]}${characters[at]}`)
}

const vowel = /[aeiouy]/
const minStemLength = 4

/** Removes English plural and verb endings; other words stay unchanged. */
export function stem(word: string): string {
  if (word.length < minStemLength || !/^[a-z]+$/.test(word)) return word
  const singular = dropPlural(word)
  const base = dropEnding(singular)
  return base.length >= minStemLength && base.endsWith('e') ? base.slice(0, -1) : base
}

function dropPlural(word: string): string {
  if (/[^aeiou]ies$/.test(word) && word.length > minStemLength) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

function dropEnding(word: string): string {
  if (/[^aeiou]ied$/.test(word)) return `${word.slice(0, -3)}y`
  const base = /^(?<base>.{3,}?)(?:ing|ed)$/.exec(word)?.groups?.['base']
  if (base === undefined || !vowel.test(base)) return word
  return /([^aeioulsz])\1$/.test(base) ? base.slice(0, -1) : base
}

/** English stop words. */
const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are aren't as at be because been before
  being below between both but by can can't cannot could couldn't did didn't do does doesn't doing
  don't down during each few for from further had hadn't has hasn't have haven't having he her here
  hers herself him himself his how i i'd i'll i'm i've if in into is isn't it it's its itself just
  let's me more most my myself no nor not now of off on once only or other our ours ourselves out
  over own same she should shouldn't so some such than that that's the their theirs them themselves
  then there these they this those through to too under until up very was wasn't we were weren't
  what what's when where which while who whom why will with won't would wouldn't you you'd you'll
  you're you've your yours yourself yourselves`.split(/\s+/),
)

export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}
