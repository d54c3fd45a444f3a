import { editDistance } from '../../text/edit-distance.ts'
import type { Vocabulary } from '../postings/postings.ts'
import { createTermSignatures, type TermSignatures } from './term-signatures.ts'

/** A term that the vocabulary lacks, and the nearest one that it has. */
export interface Correction {
  readonly from: string
  readonly to: string
}

export interface Spelling {
  /** Corrections of the terms that no text has. */
  correct(terms: readonly string[]): readonly Correction[]
}

const minLength = 4
/** Words of this length may have two errors. */
const minLongLength = 8
/** Letters only: another digit makes another identifier. */
const correctable =
  /^(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}])[\p{L}\p{M}])+$/u
/** Bounds the work for one query. */
const maxCorrections = 8
const maxWordLength = 30

export function createSpelling(vocabulary: Vocabulary): Spelling {
  const signatures = createTermSignatures(vocabulary)
  const isUnknown = (term: string) => isCorrectable(term) && vocabulary.frequencyOf(term) === 0
  return {
    correct: (terms) =>
      [...new Set(terms)]
        .filter(isUnknown)
        .slice(0, maxCorrections)
        .flatMap((from) => {
          const to = findNearest({ vocabulary, signatures }, from)
          return to === undefined ? [] : [{ from, to }]
        }),
  }
}

/** Endings that stemming removes, as written with at most one error, and the number of errors. */
const endings: readonly (readonly [string, number])[] = [
  ['e', 0],
  ...['ng', 'ig', 'in', 'ign', 'nig', 'de'].map((ending) => [ending, 1] as const),
]

/** The word, and the word without each ending that it may have, with the errors of the ending. */
function listStems(word: string): { readonly stem: string; readonly errors: number }[] {
  const stems = endings.flatMap(([ending, errors]) => {
    const stem = word.slice(0, -ending.length)
    return word.endsWith(ending) && stem.length >= minLength ? [{ stem, errors }] : []
  })
  return [{ stem: word, errors: 0 }, ...stems]
}

interface Dictionary {
  readonly vocabulary: Vocabulary
  readonly signatures: TermSignatures
}

/** The term with the fewest errors; of several the one with the same first letter, or in most texts. */
function findNearest({ vocabulary, signatures }: Dictionary, word: string): string | undefined {
  const maxDistance = word.length >= minLongLength ? 2 : 1
  const nearest = listStems(word)
    .flatMap(({ stem, errors }) => {
      const max = maxDistance - errors
      return signatures.listNear(stem, max).map((code) => {
        const term = vocabulary.termAt(code)
        const distance = errors + editDistance(stem, term, max)
        return { stem, term, distance, frequency: vocabulary.frequencyAt(code) }
      })
    })
    .filter(({ stem, term }) => !isOtherWord(stem, term))
    .filter(({ term, frequency }) => frequency > 0 && correctable.test(term))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted(
      (a, b) =>
        a.distance - b.distance ||
        Number(b.term[0] === word[0]) - Number(a.term[0] === word[0]) ||
        b.frequency - a.frequency ||
        (a.term < b.term ? -1 : 1),
    )
  return nearest[0]?.term
}

/** Short words with different first letters are different words, unless the first two are swapped. */
function isOtherWord(word: string, term: string): boolean {
  const isShort = word.length < minLongLength && word.length === term.length
  return isShort && word[0] !== term[0] && word[0] !== term[1]
}

function isCorrectable(term: string): boolean {
  return term.length >= minLength && term.length <= maxWordLength && correctable.test(term)
}
