import { sliceText } from '../../../kernel/redaction/slice-text.ts'

/** A run of lines of a text: `text.slice(start, end)`, without the blank lines around it. */
export interface Block {
  readonly kind:
    | 'front_matter'
    | 'heading'
    | 'fence'
    | 'table'
    | 'list_item'
    | 'quote'
    | 'paragraph'
  readonly start: number
  readonly end: number
  /** Level 1 to 6 of a heading. */
  readonly level?: number
  /** The text of a heading. */
  readonly title?: string
  /** What each part of a divided fence or table repeats, without a line end. */
  readonly header?: string
}

interface Line {
  readonly start: number
  /** Before the line end. */
  readonly end: number
  /** The start of the following line. */
  readonly next: number
}

const maxTitleLength = 200
const maxFrontMatterLength = 65_536

const heading = / {0,3}(#{1,6})(?:[ \t]|$)/y
const fence = / {0,3}(`{3,}|~{3,})/y
const listItem = /[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/y
const quote = / {0,3}>/y
const underline = /^ {0,3}(=+|-+)[ \t]*\r?$/

/** Reads the blocks of a Markdown or plain text in one pass over its lines. */
export function* readBlocks(text: string): Generator<Block> {
  let line = lineAt(text, 0)
  const frontMatter = findFrontMatter(text)
  if (frontMatter) {
    yield frontMatter
    line = lineAt(text, lineAt(text, frontMatter.end).next)
  }
  while (line.start < text.length) {
    if (isBlank(text, line)) {
      line = lineAt(text, line.next)
      continue
    }
    const block = readBlock(text, line)
    yield block
    line = lineAt(text, lineAt(text, block.end).next)
  }
}

/** The block between two lines of `---` at the start of a text. */
function findFrontMatter(text: string): Block | undefined {
  if (!/^---[ \t]*\r?\n/.test(text.slice(0, 100))) return undefined
  const end = /\n(?:---|\.\.\.)[ \t]*\r?(?:\n|$)/.exec(text.slice(0, maxFrontMatterLength))
  if (!end) return undefined
  return { kind: 'front_matter', start: 0, end: end.index + 4 }
}

function readBlock(text: string, line: Line): Block {
  const { start } = line
  const level = matchAt(heading, text, start)?.[1]?.length
  if (level !== undefined) {
    const title = toTitle(text.slice(start, line.end).replace(/^ *#+/, ''))
    return { kind: 'heading', start, end: line.end, level, title }
  }
  const marker = matchAt(fence, text, start)?.[1]
  if (marker !== undefined) return readFence(text, line, marker)
  const following = lineAt(text, line.next)
  if (isTableDelimiter(text, following) && text.slice(start, line.end).includes('|'))
    return readTable(text, line, following)
  return readSetextHeading(text, line, following) ?? readParagraph(text, line)
}

/** A fence without an end runs to the end of the text. */
function readFence(text: string, first: Line, marker: string): Block {
  const header = text
    .slice(first.start, Math.min(first.end, first.start + maxTitleLength))
    .trimEnd()
  let line = lineAt(text, first.next)
  let end = first.end
  while (line.start < text.length) {
    if (!isBlank(text, line)) end = line.end
    const closing = matchAt(fence, text, line.start)?.[1]
    if (closing?.startsWith(marker) && text.slice(line.start, line.end).trim() === closing) break
    line = lineAt(text, line.next)
  }
  return { kind: 'fence', start: first.start, end, header }
}

function readTable(text: string, first: Line, delimiter: Line): Block {
  let end = delimiter.end
  let line = lineAt(text, delimiter.next)
  while (line.start < text.length && text.slice(line.start, line.end).includes('|')) {
    end = line.end
    line = lineAt(text, line.next)
  }
  return { kind: 'table', start: first.start, end, header: text.slice(first.start, delimiter.end) }
}

function readSetextHeading(text: string, line: Line, following: Line): Block | undefined {
  if (matchAt(listItem, text, line.start) || matchAt(quote, text, line.start)) return undefined
  if (following.end - following.start > maxTitleLength) return undefined
  const [, mark] = underline.exec(text.slice(following.start, following.end)) ?? []
  if (mark === undefined) return undefined
  const title = toTitle(text.slice(line.start, line.end))
  const level = mark.startsWith('=') ? 1 : 2
  return { kind: 'heading', start: line.start, end: following.end, level, title }
}

function readParagraph(text: string, first: Line): Block {
  const kind = paragraphKind(text, first)
  let { end } = first
  let line = lineAt(text, first.next)
  while (line.start < text.length && !isBlank(text, line) && !interrupts(text, line, kind)) {
    end = line.end
    line = lineAt(text, line.next)
  }
  return { kind, start: first.start, end }
}

function paragraphKind(text: string, line: Line): 'list_item' | 'quote' | 'paragraph' {
  if (matchAt(quote, text, line.start)) return 'quote'
  return matchAt(listItem, text, line.start) ? 'list_item' : 'paragraph'
}

function interrupts(text: string, line: Line, kind: Block['kind']): boolean {
  const { start } = line
  if (matchAt(heading, text, start) || matchAt(fence, text, start)) return true
  if (matchAt(listItem, text, start)) return true
  return (matchAt(quote, text, start) !== null) !== (kind === 'quote')
}

function isTableDelimiter(text: string, { start, end }: Line): boolean {
  if (start >= text.length || !/[|:\- \t]/.test(text[start] ?? '')) return false
  const line = text.slice(start, end)
  return line.includes('|') && line.includes('-') && /^[|:\-\s]+$/.test(line)
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function toTitle(words: string): string {
  const title = words
    .slice(0, maxTitleLength * 2)
    .trim()
    .replace(/[ \t]#+$/, '')
  return sliceText(title, 0, maxTitleLength).trim()
}

function isBlank(text: string, { start, end }: Line): boolean {
  return text.slice(start, end).trim() === ''
}

function lineAt(text: string, start: number): Line {
  const end = text.indexOf('\n', start)
  return end < 0 || start >= text.length
    ? { start, end: Math.max(start, text.length), next: text.length }
    : { start, end, next: end + 1 }
}
