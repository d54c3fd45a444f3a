import { joinPrivateSpans } from '../../../kernel/redaction/private-spans.ts'
import { redactStrictly, removePrivateSpans } from '../../../kernel/redaction/redact.ts'
import { dropInjected, type InjectedBlock, injectedBlocks } from '../injected-blocks.ts'
import type { Turn } from '../transcript.ts'

export interface CleanTurn extends Turn {
  readonly redactions: number
}

/** One line, without injected blocks, private spans and credentials. */
export function cleanTurn({ role, text }: Turn): CleanTurn {
  const withoutPrivate = removePrivateSpans(dropInjected(text))
  const clean = redactStrictly(withoutPrivate.text)
  const line = toSingleLine(clean.text)
  // A joined line may assign a value that the line break separated from its name.
  const joined = line === clean.text ? { text: line, redactions: 0 } : redactStrictly(line)
  return {
    role,
    text: joined.text,
    redactions: withoutPrivate.redactions + clean.redactions + joined.redactions,
  }
}

/** A closed block is joined to one line, so speakers quoted in it start no turn. */
export function joinBlocks(text: string): string {
  const joined = /<\/|&lt;\//.test(text) ? injectedBlocks.reduce(joinBlock, text) : text
  return joinPrivateSpans(joined)
}

function joinBlock(text: string, { open, close }: Pick<InjectedBlock, 'open' | 'close'>): string {
  const joined: string[] = []
  let offset = 0
  for (const { index, 0: end } of text.matchAll(close)) {
    const piece = text.slice(offset, index + end.length)
    const start = [...piece.matchAll(open)].at(-1)?.index ?? piece.length
    joined.push(piece.slice(0, start), piece.slice(start).replaceAll('\n', ' '))
    offset = index + end.length
  }
  return [...joined, text.slice(offset)].join('')
}

function toSingleLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '')
    .split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}
