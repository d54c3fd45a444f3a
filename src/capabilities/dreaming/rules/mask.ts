import { maskCharacter } from './tokens.ts'

/** Opening and closing quotation marks of all scripts. */
const quotes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['»', '«'],
  ['‘', '’'],
  ['‚', '‘'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
])
const alternativeEnds: ReadonlyMap<string, string> = new Map([
  ['„', '”"'],
  ['“', '"'],
])
/** A quotation that has no end within this length is a stray mark. */
const maxQuotation = 2_000
const maxJson = 20_000
const maxInlineCodeWords = 3

/** Replaces everything that makes no statement by mask characters; offsets stay the same. */
export function maskText(text: string): string {
  const lines = maskBlocks(text)
  return maskSpans(lines)
}

/** The part of the letters outside of code and quoted lines that are masked, from 0 to 1. */
export function maskedShare(text: string, masked: string): number {
  const [all, left] = [countVisible(maskBlocks(text)), countVisible(masked)]
  return all === 0 ? 0 : (all - left) / all
}

function countVisible(text: string): number {
  let count = 0
  for (const character of text) if (character !== maskCharacter && character.trim() !== '') count++
  return count
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, maskCharacter)
}

/** Masks fenced and indented code, and quoted lines. */
export function maskBlocks(text: string): string {
  let fence = ''
  let isAfterBlank = true
  const lines = text.split('\n').map((line) => {
    const trimmed = line.trimStart()
    const mark = fenceOf(trimmed)
    if (mark !== '' && (fence === '' || trimmed.startsWith(fence))) {
      fence = fence === '' ? mark : ''
      return blank(line)
    }
    const isCode = isAfterBlank && /^(?: {4}|\t)/.test(line)
    isAfterBlank = trimmed === '' || isCode
    return fence !== '' || isCode || /^[>|＞]/.test(trimmed) ? blank(line) : line
  })
  return lines.join('\n')
}

function fenceOf(line: string): string {
  if (line.startsWith('```')) return '```'
  return line.startsWith('~~~') ? '~~~' : ''
}

/** Quotations, code, tags, addresses and JSON within the lines. */
function maskSpans(text: string): string {
  const parts: string[] = []
  const next = createSearch(text)
  let [at, done] = [0, 0]
  while (at < text.length) {
    const end = findSpanEnd(text, at, next)
    if (end === undefined) {
      at += 1
      continue
    }
    parts.push(text.slice(done, at), blank(text.slice(at, end)))
    at = end
    done = end
  }
  parts.push(text.slice(done))
  return parts.join('')
}

/** Finds the next occurrence of a string. The positions only grow, so each is searched once. */
type Search = (wanted: string, from: number) => number | undefined

function createSearch(text: string): Search {
  const found = new Map<string, number>()
  return (wanted, from) => {
    let at = found.get(wanted) ?? -1
    if (at < from) {
      const index = text.indexOf(wanted, from)
      at = index < 0 ? Number.POSITIVE_INFINITY : index
      found.set(wanted, at)
    }
    return at - from > maxQuotation ? undefined : at
  }
}

function findSpanEnd(text: string, at: number, next: Search): number | undefined {
  const character = text[at] ?? ''
  if (character === '`') return findInlineCode(text, at, next)
  if (character === '<') return findTag(text, at, next)
  if (character === '{' || character === '[') return findJson(text, at)
  if (character === 'h' || character === 'w') return findAddress(text, at)
  if (character === "'") return isOpening(text, at) ? findApostrophe(text, at, next) : undefined
  const close = quotes.get(character)
  return close === undefined
    ? undefined
    : findQuotation(at, close + (alternativeEnds.get(character) ?? ''), next)
}

/** A quotation ends with its paragraph at the latest. */
function findQuotation(at: number, closes: string, next: Search): number | undefined {
  const ends = [...closes].map((close) => next(close, at + 1) ?? Number.POSITIVE_INFINITY)
  const end = Math.min(...ends)
  const paragraph = next('\n\n', at) ?? Number.POSITIVE_INFINITY
  return end < paragraph ? end + 1 : undefined
}

function isOpening(text: string, at: number): boolean {
  return /[\s([:]/.test(text[at - 1] ?? ' ') && /\S/.test(text[at + 1] ?? ' ')
}

/** Closing marks that are tried before the opening one counts as stray. */
const maxApostrophes = 6

/** An apostrophe closes a quotation only where no letter follows. */
function findApostrophe(text: string, at: number, next: Search): number | undefined {
  const line = next('\n', at) ?? Number.POSITIVE_INFINITY
  let end = text.indexOf("'", at + 1)
  for (let tries = 0; tries < maxApostrophes && end >= 0 && end < line; tries++) {
    if (end - at > maxQuotation) return undefined
    const closes = !/[\p{L}\p{N}]/u.test(text[end + 1] ?? ' ') && !/\s/.test(text[end - 1] ?? ' ')
    if (closes) return end + 1
    end = text.indexOf("'", end + 1)
  }
  return undefined
}

/** A name in code marks is a name; more words are code. */
function findInlineCode(text: string, at: number, next: Search): number | undefined {
  const line = next('\n', at) ?? Number.POSITIVE_INFINITY
  const end = next('`', at + 1)
  if (end === undefined || end > line) return undefined
  const words = text
    .slice(at + 1, end)
    .trim()
    .split(/\s+/)
  return words.length > maxInlineCodeWords ? end + 1 : undefined
}

function findTag(text: string, at: number, next: Search): number | undefined {
  if (!/[\p{L}/!?]/u.test(text[at + 1] ?? ' ')) return undefined
  const end = next('>', at)
  return end === undefined ? undefined : end + 1
}

/** An address goes on to the next space; a longer one is cut. */
function findAddress(text: string, at: number): number | undefined {
  const isStart = ['https://', 'http://', 'www.'].some((prefix) => text.startsWith(prefix, at))
  if (!isStart) return undefined
  const length = /[\s"'<>()，。]/.exec(text.slice(at, at + maxQuotation))?.index
  return length === undefined ? Math.min(text.length, at + maxQuotation) : at + length
}

/** An object or an array of JSON, by its brackets. */
function findJson(text: string, at: number): number | undefined {
  if (!/^[[{]\s{0,8}["[{]/.test(text.slice(at, at + 12))) return undefined
  let depth = 0
  const limit = Math.min(text.length, at + maxJson)
  for (let end = at; end < limit; end++) {
    const character = text[end] ?? ''
    if (character === '{' || character === '[') depth++
    if ((character === '}' || character === ']') && --depth === 0) return end + 1
  }
  return limit
}
