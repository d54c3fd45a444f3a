import { readNames, readNameWords } from '../../text/query.ts'
import { fold } from '../../text/terms.ts'
import type { Columns } from './columns.ts'

/** Who said what is kept, by the words of their names. */
export interface Speakers {
  /** By the code of the column `who`; folded. */
  nameOf(code: number): string
  /** Of the slots that may answer, who is named in a question, and by which of its words. */
  findNamed(question: string, mask: Uint8Array): Named
}

interface Named {
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
      for (const word of readNames(name)) note(codesByWord, word, code)
    }
  }
  return {
    nameOf: (code) => {
      catchUp()
      return names[code] ?? ''
    },
    findNamed: (question, mask) => {
      catchUp()
      const words = readNameWords(question).filter((word) => codesByWord.has(word))
      const codesOf = (word: string) => codesByWord.get(word) ?? []
      const named = new Set(words.flatMap(codesOf))
      const heard = keepHeard(codes.who.values, named, { mask, count: names.length })
      return {
        codes: heard,
        words: new Set(words.filter((word) => codesOf(word).some((code) => heard.has(code)))),
      }
    },
  }
}

function note(codes: Map<string, number[]>, word: string, code: number): void {
  const there = codes.get(word)
  if (there) there.push(code)
  else codes.set(word, [code])
}

/** Whoever has said nothing that may be read is nobody to whoever asks; `count` is of all codes. */
function keepHeard(
  who: Int32Array,
  named: ReadonlySet<number>,
  { mask, count }: { readonly mask: Uint8Array; readonly count: number },
): ReadonlySet<number> {
  const heard = new Set<number>()
  if (named.size === 0) return heard
  const isWanted = new Uint8Array(count)
  for (const code of named) isWanted[code] = 1
  for (let slot = 0, left = named.size; slot < mask.length && left > 0; slot++) {
    if (mask[slot] !== 1 || isWanted[who[slot] as number] !== 1) continue
    const code = who[slot] as number
    isWanted[code] = 0
    heard.add(code)
    left -= 1
  }
  return heard
}
