/** The word pieces of a model, in memory that threads share; ids begin at 0. */
export interface Vocabulary {
  /** All pieces, one after another, in UTF-16. */
  readonly letters: Uint16Array<SharedArrayBuffer>
  /** Where the letters of each piece begin, and where the last ones end. */
  readonly starts: Uint32Array<SharedArrayBuffer>
  /** By hash an id and 1, or 0 where there is none; what finds its place taken stands in the next. */
  readonly places: Uint32Array<SharedArrayBuffer>
  /** In letters. */
  readonly longest: number
  readonly unknown: number
}

/** What a piece begins with that goes on with a word. */
const mark = '##'
const markLetter = mark.charCodeAt(0)
/** FNV-1a, a letter at a time. */
const emptyHash = 0x811c9dc5
const hashPrime = 0x01000193
const markHash = addToHash(addToHash(emptyHash, markLetter), markLetter)

/** Reads a text with a piece in each line; the number of the line is its id. */
export function parseVocabulary(text: string): Vocabulary {
  const pieces = text.trimEnd().split('\n')
  const letters = new Uint16Array(new SharedArrayBuffer(2 * text.length))
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (pieces.length + 1)))
  // At most half of the places are taken.
  const room = 2 ** Math.ceil(Math.log2(2 * pieces.length))
  const places = new Uint32Array(new SharedArrayBuffer(4 * room))
  const longest = pieces.reduce((most, { length }) => Math.max(most, length), 0)
  let end = 0
  for (const [id, piece] of pieces.entries()) {
    let hash = emptyHash
    for (let at = 0; at < piece.length; at += 1) {
      letters[end + at] = piece.charCodeAt(at)
      hash = addToHash(hash, piece.charCodeAt(at))
    }
    end += piece.length
    starts[id + 1] = end
    takePlace(places, hash, id)
  }
  return { letters, starts, places, longest, unknown: Math.max(0, pieces.indexOf('[UNK]')) }
}

/** The longest piece with which a word goes on from one of its letters; -1 where there is none. */
export function findPiece(vocabulary: Vocabulary, word: string, from: number): number {
  const end = Math.min(word.length, from + vocabulary.longest)
  let hash = from === 0 ? emptyHash : markHash
  let found = -1
  for (let at = from; at < end; at += 1) {
    hash = addToHash(hash, word.charCodeAt(at))
    const id = lookUp(vocabulary, hash, { word, from, to: at + 1 })
    if (id >= 0) found = id
  }
  return found
}

/** How many letters of a word a piece stands for. */
export function lengthOf(vocabulary: Vocabulary, id: number): number {
  const { starts } = vocabulary
  const letters = (starts[id + 1] as number) - (starts[id] as number)
  return goesOn(vocabulary, id) ? letters - mark.length : letters
}

interface Part {
  readonly word: string
  readonly from: number
  readonly to: number
}

function lookUp(vocabulary: Vocabulary, hash: number, part: Part): number {
  const { places } = vocabulary
  let place = firstPlace(places, hash)
  for (;;) {
    const id = (places[place] as number) - 1
    if (id < 0 || stands(vocabulary, id, part)) return id
    place = (place + 1) % places.length
  }
}

function stands(vocabulary: Vocabulary, id: number, { word, from, to }: Part): boolean {
  const length = lengthOf(vocabulary, id)
  if (length !== to - from || goesOn(vocabulary, id) !== from > 0) return false
  const first = (vocabulary.starts[id + 1] as number) - length
  for (let at = 0; at < length; at += 1)
    if (vocabulary.letters[first + at] !== word.charCodeAt(from + at)) return false
  return true
}

function goesOn({ letters, starts }: Vocabulary, id: number): boolean {
  const start = starts[id] as number
  const isLonger = (starts[id + 1] as number) - start > mark.length
  return isLonger && letters[start] === markLetter && letters[start + 1] === markLetter
}

function takePlace(places: Uint32Array, hash: number, id: number): void {
  let place = firstPlace(places, hash)
  while (places[place] !== 0) place = (place + 1) % places.length
  places[place] = id + 1
}

function firstPlace(places: Uint32Array, hash: number): number {
  return (hash ^ (hash >>> 15)) & (places.length - 1)
}

function addToHash(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, hashPrime)
}
