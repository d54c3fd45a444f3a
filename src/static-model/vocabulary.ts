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
const lineEnd = '\n'.charCodeAt(0)
/** FNV-1a, a letter at a time. */
const emptyHash = 0x811c9dc5
const hashPrime = 0x01000193
const markHash = addToHash(addToHash(emptyHash, markLetter), markLetter)

/** Reads a text with a piece in each line; the number of the line is its id. */
export function parseVocabulary(text: string): Vocabulary {
  const count = countLines(text)
  const letters = new Uint16Array(new SharedArrayBuffer(2 * text.length))
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (count + 1)))
  // At most half of the places are taken.
  const room = 2 ** Math.ceil(Math.log2(2 * count))
  const places = new Uint32Array(new SharedArrayBuffer(4 * room))
  let [id, end, hash, longest] = [0, 0, emptyHash, 0]
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at)
    if (letter !== lineEnd) {
      letters[end++] = letter
      hash = addToHash(hash, letter)
      continue
    }
    takePlace(places, hash, id)
    longest = Math.max(longest, end - (starts[id] as number))
    starts[++id] = end
    hash = emptyHash
  }
  const read = { letters, starts, places, longest, unknown: 0 }
  return { ...read, unknown: Math.max(0, findPiece(read, '[UNK]', 0)) }
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

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
