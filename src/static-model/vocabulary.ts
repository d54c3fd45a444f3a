/** Word pieces of a model in shared memory; ids start at 0. */
export interface Vocabulary {
  /** All pieces, concatenated, in UTF-16. */
  readonly letters: Uint16Array<SharedArrayBuffer>
  /** Start offset of each piece, and the end of the last one. */
  readonly starts: Uint32Array<SharedArrayBuffer>
  /** Open-addressing hash table of `id + 1`; 0 marks an empty bucket; linear probing. */
  readonly buckets: Uint32Array<SharedArrayBuffer>
  /** In UTF-16 code units. */
  readonly maxPieceLength: number
  readonly unknown: number
}

/** Prefix of a piece that continues a word. */
const continuationMark = '##'
const continuationLetter = continuationMark.charCodeAt(0)
const lineEnd = '\n'.charCodeAt(0)
/** FNV-1a over UTF-16 code units. */
const emptyHash = 0x811c9dc5
const hashPrime = 0x01000193
const continuationHash = addToHash(addToHash(emptyHash, continuationLetter), continuationLetter)

/** Parses one piece a line; the line number is the id. */
export function parseVocabulary(text: string): Vocabulary {
  const count = countLines(text)
  const letters = new Uint16Array(new SharedArrayBuffer(2 * text.length))
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (count + 1)))
  // The load factor is at most 0.5.
  const bucketCount = 2 ** Math.ceil(Math.log2(2 * count))
  const buckets = new Uint32Array(new SharedArrayBuffer(4 * bucketCount))
  let [id, end, hash, maxPieceLength] = [0, 0, emptyHash, 0]
  for (let index = 0; index < text.length; index += 1) {
    const letter = text.charCodeAt(index)
    if (letter !== lineEnd) {
      letters[end++] = letter
      hash = addToHash(hash, letter)
      continue
    }
    insertId(buckets, hash, id)
    maxPieceLength = Math.max(maxPieceLength, end - (starts[id] as number))
    starts[++id] = end
    hash = emptyHash
  }
  const read = { letters, starts, buckets, maxPieceLength, unknown: 0 }
  return { ...read, unknown: Math.max(0, findPiece(read, '[UNK]', 0)) }
}

/** Returns the longest piece of `word` at offset `from`; -1 without a match. */
export function findPiece(vocabulary: Vocabulary, word: string, from: number): number {
  const end = Math.min(word.length, from + vocabulary.maxPieceLength)
  let hash = from === 0 ? emptyHash : continuationHash
  let pieceId = -1
  for (let index = from; index < end; index += 1) {
    hash = addToHash(hash, word.charCodeAt(index))
    const id = lookUp(vocabulary, hash, { word, from, to: index + 1 })
    if (id >= 0) pieceId = id
  }
  return pieceId
}

/** Returns the length of a piece without its continuation prefix. */
export function lengthOf(vocabulary: Vocabulary, id: number): number {
  const { starts } = vocabulary
  const letters = (starts[id + 1] as number) - (starts[id] as number)
  return isContinuation(vocabulary, id) ? letters - continuationMark.length : letters
}

interface WordPart {
  readonly word: string
  readonly from: number
  readonly to: number
}

function lookUp(vocabulary: Vocabulary, hash: number, part: WordPart): number {
  const { buckets } = vocabulary
  let bucket = firstBucket(buckets, hash)
  for (;;) {
    const id = (buckets[bucket] as number) - 1
    if (id < 0 || isPiece(vocabulary, id, part)) return id
    bucket = (bucket + 1) % buckets.length
  }
}

function isPiece(vocabulary: Vocabulary, id: number, { word, from, to }: WordPart): boolean {
  const length = lengthOf(vocabulary, id)
  if (length !== to - from || isContinuation(vocabulary, id) !== from > 0) return false
  const first = (vocabulary.starts[id + 1] as number) - length
  for (let index = 0; index < length; index += 1)
    if (vocabulary.letters[first + index] !== word.charCodeAt(from + index)) return false
  return true
}

function isContinuation({ letters, starts }: Vocabulary, id: number): boolean {
  const start = starts[id] as number
  const isLonger = (starts[id + 1] as number) - start > continuationMark.length
  return (
    isLonger && letters[start] === continuationLetter && letters[start + 1] === continuationLetter
  )
}

function insertId(buckets: Uint32Array, hash: number, id: number): void {
  let bucket = firstBucket(buckets, hash)
  while (buckets[bucket] !== 0) bucket = (bucket + 1) % buckets.length
  buckets[bucket] = id + 1
}

function firstBucket(buckets: Uint32Array, hash: number): number {
  return (hash ^ (hash >>> 15)) & (buckets.length - 1)
}

function addToHash(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, hashPrime)
}

function countLines(text: string): number {
  let count = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count += 1
  return count
}
