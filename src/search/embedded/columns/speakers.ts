import { queryNameWords, speakerNameWords } from '../../text/query.ts'
import { fold } from '../../text/terms.ts'
import type { Columns } from './columns.ts'

/** Speaker names, by the words they consist of. */
export interface Speakers {
  /** Folded name by the code of the column `who`. */
  nameOf(code: number): string
  /** Finds the speakers that the question names, among slots in the mask, and the matching words. */
  findNamed(question: string, mask: Uint8Array): NamedSpeakers
}

interface NamedSpeakers {
  /** Codes of the column `who`. */
  readonly codes: ReadonlySet<number>
  readonly words: ReadonlySet<string>
}

export function createSpeakers({ codes, dictionaries }: Columns): Speakers {
  const names: string[] = []
  const codesByWord = new Map<string, number[]>()
  const catchUp = () => {
    for (let code = names.length; code < dictionaries.who.words.length; code++) {
      const name = fold(dictionaries.who.words[code] ?? '')
      names.push(name)
      for (const word of speakerNameWords(name)) addCode(codesByWord, word, code)
    }
  }
  return {
    nameOf: (code) => {
      catchUp()
      return names[code] ?? ''
    },
    findNamed: (question, mask) => {
      catchUp()
      const words = queryNameWords(question).filter((word) => codesByWord.has(word))
      const codesOf = (word: string) => codesByWord.get(word) ?? []
      const named = new Set(words.flatMap(codesOf))
      const visible = filterVisible(codes.who.values, named, { mask, count: names.length })
      return {
        codes: visible,
        words: new Set(words.filter((word) => codesOf(word).some((code) => visible.has(code)))),
      }
    },
  }
}

function addCode(codes: Map<string, number[]>, word: string, code: number): void {
  const existing = codes.get(word)
  if (existing) existing.push(code)
  else codes.set(word, [code])
}

/** Keeps only speakers with at least one message in the mask. `count` is the number of all codes. */
function filterVisible(
  who: Int32Array,
  named: ReadonlySet<number>,
  { mask, count }: { readonly mask: Uint8Array; readonly count: number },
): ReadonlySet<number> {
  const visible = new Set<number>()
  if (named.size === 0) return visible
  const isCandidate = new Uint8Array(count)
  for (const code of named) isCandidate[code] = 1
  for (let slot = 0, left = named.size; slot < mask.length && left > 0; slot++) {
    if (mask[slot] !== 1 || isCandidate[who[slot] as number] !== 1) continue
    const code = who[slot] as number
    isCandidate[code] = 0
    visible.add(code)
    left -= 1
  }
  return visible
}
