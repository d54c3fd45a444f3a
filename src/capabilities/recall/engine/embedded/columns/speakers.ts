import { readNames, readNameWords } from '../../text/names.ts'
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
      const found = { codes: new Set<number>(), words: new Set<string>() }
      for (const word of readNameWords(question))
        for (const code of codesByWord.get(word) ?? [])
          if (hasSaid(codes.who.values, code, mask)) {
            found.codes.add(code)
            found.words.add(word)
          }
      return found
    },
  }
}

function note(codes: Map<string, number[]>, word: string, code: number): void {
  const there = codes.get(word)
  if (there) there.push(code)
  else codes.set(word, [code])
}

/** Whoever has said nothing that may be read is nobody to whoever asks. */
function hasSaid(who: Int32Array, code: number, mask: Uint8Array): boolean {
  for (let slot = 0; slot < mask.length; slot++)
    if (mask[slot] === 1 && who[slot] === code) return true
  return false
}
