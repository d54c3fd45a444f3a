import { hash } from 'node:crypto'
import { isCapitalised, isCode, type Token, tokenize } from './tokens.ts'

export interface DuplicateSource {
  readonly ref: string
  readonly text: string
  readonly project: string | null
}

export interface NearDuplicate {
  readonly one: string
  readonly other: string
  readonly similarity: number
}

const minSimilarity = 0.8
const maxPairs = 100
/** Hashes of a signature, in bands of which one must agree. */
const bandCount = 16
const bandSize = 4
/** More texts than this in a band are a template, not a duplicate. */
const maxBucket = 50
const shingleSize = 3
/** Longer texts are compared by their beginning. */
const maxTokens = 2_000

interface Sketch extends DuplicateSource {
  readonly shingles: ReadonlySet<number>
  /** What must be equal: numbers, names, code, negations and antonyms. */
  readonly specifics: string
}

/** Pairs that say the same in nearly the same words, with the same specifics. */
export function findDuplicates(sources: readonly DuplicateSource[]): NearDuplicate[] {
  const sorted = [...sources].toSorted((a, b) => a.ref.localeCompare(b.ref))
  const buckets = new Map<string, Sketch[]>()
  const pairs = new Map<string, NearDuplicate>()
  for (const source of sorted) {
    const sketch = toSketch(source)
    for (const key of listBands(sketch)) {
      const bucket = buckets.get(key) ?? []
      for (const other of bucket) addPair(pairs, other, sketch)
      if (bucket.length < maxBucket) bucket.push(sketch)
      buckets.set(key, bucket)
    }
  }
  return [...pairs.values()].slice(0, maxPairs)
}

function addPair(pairs: Map<string, NearDuplicate>, one: Sketch, other: Sketch): void {
  const key = `${one.ref}\n${other.ref}`
  if (one.ref === other.ref || pairs.has(key) || one.project !== other.project) return
  if (one.specifics !== other.specifics) return
  const similarity = compare(one.shingles, other.shingles)
  if (similarity < minSimilarity) return
  pairs.set(key, {
    one: one.ref,
    other: other.ref,
    similarity: Math.round(similarity * 1_000) / 1_000,
  })
}

/** Jaccard similarity. */
function compare(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  const shared = [...one].filter((shingle) => other.has(shingle)).length
  return shared / (one.size + other.size - shared)
}

function toSketch(source: DuplicateSource): Sketch {
  const tokens = tokenize(source.text.slice(0, maxTokens * 8)).slice(0, maxTokens)
  const words = tokens.filter(({ kind }) => kind !== 'mark')
  return { ...source, shingles: listShingles(words), specifics: listSpecifics(words).join('\n') }
}

/** Three words in a row; two characters in a row in scripts without spaces. */
function listShingles(words: readonly Token[]): ReadonlySet<number> {
  const ideographs = words.filter(({ kind }) => kind === 'ideograph').length
  const size = ideographs * 2 > words.length ? 2 : shingleSize
  const shingles = new Set<number>()
  for (let at = 0; at <= Math.max(0, words.length - size); at++) {
    const text = words.slice(at, at + size).map(({ lower }) => lower)
    shingles.add(hash('sha1', text.join(' '), 'buffer').readUInt32BE(0))
  }
  return shingles
}

const opposites: ReadonlySet<string> = new Set(
  `not no never none without don't doesn't didn't isn't aren't wasn't weren't won't can't cannot nicht kein keine
  keinen nie ohne 不 没 未 非 无 on off enable disable enabled disabled true false yes allow deny allowed denied
  always before after more less increase decrease up down start stop first last open closed public private accept
  reject pass fail passed failed add remove added removed min max minimum maximum old new left right in out`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

function listSpecifics(words: readonly Token[]): string[] {
  return words.flatMap((token, at) => {
    const isSpecific = /\p{N}/u.test(token.text) || isCode(token) || opposites.has(token.lower)
    if (isSpecific || (at > 0 && isCapitalised(token))) return [token.lower]
    return []
  })
}

/** The smallest hashes under different permutations, joined into bands. */
function listBands({ shingles, project }: Sketch): string[] {
  if (shingles.size === 0) return []
  const signature = Array.from({ length: bandCount * bandSize }, (_, seed) => {
    let smallest = 0xffff_ffff
    for (const shingle of shingles) smallest = Math.min(smallest, permute(shingle, seed))
    return smallest
  })
  return Array.from({ length: bandCount }, (_, band) => {
    const part = signature.slice(band * bandSize, (band + 1) * bandSize)
    return `${project ?? ''}\n${band}\n${part.join(',')}`
  })
}

function permute(value: number, seed: number): number {
  const mixed = Math.imul(value ^ Math.imul(seed + 1, 0x9e37_79b1), 0x85eb_ca6b)
  return (Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35) ^ (mixed >>> 16)) >>> 0
}
