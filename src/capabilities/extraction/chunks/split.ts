import type { Block } from './blocks.ts'
import { reach, weigh } from './weight.ts'

/** A part of a text; `prefix` is repeated before it. */
export interface Part {
  readonly start: number
  readonly end: number
  readonly prefix: string
}

export interface SplitBounds {
  /** Maximum weight of a part with its prefix. */
  readonly max: number
  /** Preferred weight of a part of lines. */
  readonly target: number
  /** Characters that a part of a paragraph repeats of the part before it. */
  readonly overlap: number
}

/** A repeated header over this share of the maximum is left out. */
const maxHeaderShare = 0.25
/** A sentence ends a part only in its last part of this share. */
const minFillShare = 0.4
/** Characters before a cut in which a character of several code points is searched. */
const clusterWindow = 64

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Divides the text from `start` to the end of the block into parts within the bounds. Fences and
 * tables end at line ends, other blocks at sentences, else at blanks, else between two characters.
 */
export function* splitBlock(
  text: string,
  { start, block }: { readonly start: number; readonly block: Block },
  bounds: SplitBounds,
): Generator<Part> {
  if (block.header === undefined)
    yield* splitWords(text, { start, end: block.end, prefix: '' }, bounds)
  else yield* splitLines(text, { start, block, header: block.header }, bounds)
}

function* splitLines(
  text: string,
  source: { readonly start: number; readonly block: Block; readonly header: string },
  bounds: SplitBounds,
): Generator<Part> {
  const { block, header } = source
  const headerWeight = weigh(header, 0, header.length) + 1
  const prefix = headerWeight <= bounds.max * maxHeaderShare ? `${header}\n` : ''
  const overheadOf = (part: Part) => (part.prefix === '' ? 0 : headerWeight)
  const fits = (part: Part, max: number) =>
    weighUpTo(text, part, bounds.max) + overheadOf(part) <= max
  let part: Part = { start: source.start, end: source.start, prefix: '' }
  while (part.end < block.end) {
    const longer = { ...part, end: nextLineEnd(text, part.end, block.end) }
    const isEmpty = part.end === part.start
    if (fits(longer, isEmpty ? bounds.max : bounds.target)) {
      part = longer
      continue
    }
    if (isEmpty) yield* splitWords(text, longer, { ...bounds, max: bounds.max - overheadOf(part) })
    else yield part
    const start = isEmpty ? longer.end : part.end
    part = { start, end: start, prefix }
  }
  if (part.end > part.start) yield part
}

function weighUpTo(text: string, { start, end }: Part, max: number): number {
  return end - start > max ? end - start : weigh(text, start, end)
}

/** After the line end, or the end of the block. */
function nextLineEnd(text: string, from: number, limit: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 || end + 1 > limit ? limit : end + 1
}

function* splitWords(text: string, whole: Part, { max, overlap }: SplitBounds): Generator<Part> {
  const limit = whole.end
  let { start } = whole
  while (start < limit) {
    const rest = limit - start <= max && weigh(text, start, limit) <= max
    const end = rest ? limit : findCut(text, start, reach(text, start, { budget: max, limit }))
    yield { start, end, prefix: whole.prefix }
    if (end >= limit) return
    start = findOverlap(text, { start, end }, overlap)
  }
}

/** The best place to cut after `start` and not after `furthest`. */
function findCut(text: string, start: number, furthest: number): number {
  const window = text.slice(start, furthest)
  const earliest = Math.floor(window.length * minFillShare)
  let sentence = 0
  for (const { index } of sentences.segment(window)) sentence = index
  if (sentence > earliest) return start + sentence
  const blank = Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n')) + 1
  if (blank > earliest) return start + blank
  return findClusterStart(text, start, furthest)
}

/** The start of the last character that a cut at `furthest` would divide. */
function findClusterStart(text: string, start: number, furthest: number): number {
  const from = Math.max(start, furthest - clusterWindow)
  let cut = 0
  for (const { index } of clusters.segment(text.slice(from, furthest + clusterWindow)))
    if (from + index <= furthest) cut = index
  if (cut > 0) return from + cut
  // One character as long as the window: at least no surrogate pair is divided.
  return isInsidePair(text, furthest) && furthest - 1 > start ? furthest - 1 : furthest
}

/** The start of the next part: at most `overlap` characters before the end, at a word. */
function findOverlap(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  overlap: number,
): number {
  // At least half of each part is new, so that the work stays linear.
  const earliest = Math.max(end - overlap, Math.ceil((start + end) / 2))
  const blank = /[ \n]/.exec(text.slice(earliest, end))
  return blank ? earliest + blank.index + 1 : end
}

function isInsidePair(text: string, at: number): boolean {
  const isHigh = (code: number) => code >= 0xd800 && code <= 0xdbff
  const isLow = (code: number) => code >= 0xdc00 && code <= 0xdfff
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))
}
