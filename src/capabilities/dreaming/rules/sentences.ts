import { expandContractions } from './contractions.ts'
import { maskCharacter, type Token, tokenize } from './tokens.ts'

/** What one speaker says, as a part of a fragment. */
export interface Turn {
  readonly text: string
  /** Offset in the fragment. */
  readonly start: number
  /** Of a transcript; undefined where the fragment has one speaker. */
  readonly role: 'user' | 'assistant' | undefined
}

export interface Sentence {
  /** Offsets in the turn. */
  readonly start: number
  readonly end: number
  readonly tokens: readonly Token[]
}

/** Longer sentences are not read. */
const maxSentence = 1_200
/** The segmenter sees no longer texts. */
const maxPiece = 2_000
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const abbreviation =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|st|prof|no|vs|approx|incl|excl|resp|etc|max|min|nr|bzw|ca|inc|ltd|co|e\.g|i\.e|z\.b)\.\s*$/i
const lowerStart = /\p{L}{2}\. (?=\p{Ll}{2})/gu
const germanMonth =
  /^(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)/
const label = /^(user|assistant|system|tool)(?: \([^()\n]{0,80}\))?:[ \t]?/i

/** The turns of a transcript by the labels of its lines; another fragment is one turn. */
export function splitTurns(text: string, isTranscript: boolean): Turn[] {
  if (!isTranscript) return [{ text, start: 0, role: undefined }]
  const turns: { text: string; start: number; role: Turn['role'] }[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const found = label.exec(line)
    const role = found?.[1]?.toLowerCase()
    const current = turns.at(-1)
    if (found)
      turns.push({
        text: line.slice(found[0].length),
        start: at + found[0].length,
        role: role === 'user' ? 'user' : 'assistant',
      })
    else if (current) current.text += `\n${line}`
    else turns.push({ text: line, start: at, role: 'assistant' })
    at += line.length + 1
  }
  return turns
}

export function splitSentences(masked: string): Sentence[] {
  const sentences: Sentence[] = []
  let at = 0
  for (const line of masked.split('\n')) {
    for (const piece of splitLine(line, at)) {
      const tokens = expandContractions(tokenize(masked, piece.start, piece.end))
      if (piece.end - piece.start <= maxSentence && tokens.length > 0)
        sentences.push({ ...piece, tokens })
    }
    at += line.length + 1
  }
  return sentences
}

function splitLine(line: string, offset: number) {
  const pieces: { start: number; end: number }[] = []
  for (let from = 0; from < line.length; from += maxPiece) {
    const part = line.slice(from, from + maxPiece)
    if (isBlank(part)) continue
    for (const { segment, index } of segmenter.segment(part)) {
      const start = offset + from + index
      const last = pieces.at(-1)
      const isContinued =
        last && isAbbreviated(line, last.start - offset, last.end - offset, segment)
      if (isContinued) last.end = start + segment.length
      else pieces.push(...splitLower(segment, start))
    }
  }
  return pieces.map((piece) => trim(line, piece, offset)).filter(({ start, end }) => end > start)
}

/** `we left aws. ferry runs on render`: informal text has no capitals. */
function splitLower(segment: string, offset: number) {
  const pieces: { start: number; end: number }[] = []
  let from = 0
  for (const { index, 0: mark } of segment.matchAll(lowerStart)) {
    const at = index + mark.length
    if (abbreviation.test(segment.slice(Math.max(0, at - 14), at))) continue
    pieces.push({ start: offset + from, end: offset + at })
    from = at
  }
  return [...pieces, { start: offset + from, end: offset + segment.length }]
}

/** Only the end matters: `Dr.`, or `14.` in front of a German month. */
function isAbbreviated(line: string, start: number, end: number, next: string): boolean {
  const tail = line.slice(Math.max(start, end - 14), end)
  return abbreviation.test(tail) || (germanMonth.test(next) && /\b\d{1,2}\.\s*$/.test(tail))
}

function isBlank(text: string): boolean {
  return text.replaceAll(maskCharacter, '').trim() === ''
}

/** Without the spaces and list marks around it. */
function trim(
  line: string,
  piece: { readonly start: number; readonly end: number },
  offset: number,
) {
  const text = line.slice(piece.start - offset, piece.end - offset)
  const lead = /^[\s*•\-–—]{0,20}(?:\d{1,3}[.)]\s)?\s{0,20}/.exec(text)?.[0].length ?? 0
  const rest = text.slice(lead)
  return { start: piece.start + lead, end: piece.start + lead + rest.trimEnd().length }
}
