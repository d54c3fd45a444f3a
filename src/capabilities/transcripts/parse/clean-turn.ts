import { cutSpans } from '../../../kernel/hygiene/cut-spans.ts'
import { dropPrivate, redactStrictly } from '../../../kernel/hygiene/redact.ts'
import type { Turn } from '../transcript.ts'

/** What this service itself has put into the conversation must not come back as something said. */
const injected = ['svc-memory-context', 'svc-memory', 'memory-context']
const spans = injected.map((name) => ({
  kind: name,
  open: new RegExp(`<${name}(?:\\s[^<>]{0,500})?>`, 'gi'),
  close: new RegExp(`</${name}>`, 'gi'),
  unclosed: /[\s\S]*/g,
  left: '',
}))

export interface CleanTurn extends Turn {
  readonly redactions: number
}

/** One line, without injected blocks, private spans, and unless told otherwise credentials. */
export function cleanTurn(
  { role, text }: Turn,
  { redact }: { readonly redact: boolean },
): CleanTurn {
  const own = spans.reduce((left, span) => cutSpans(left, span).text, text)
  const open = dropPrivate(own)
  const clean = redact ? redactStrictly(open.text) : { text: open.text, redactions: 0 }
  return { role, text: toLine(clean.text), redactions: open.redactions + clean.redactions }
}

/** A block that ends stands on one line of a text: who is quoted in it takes no turn. */
export function joinBlocks(text: string): string {
  return text.includes('</') ? [...injected, 'private'].reduce(joinBlock, text) : text
}

function joinBlock(text: string, name: string): string {
  const open = new RegExp(`<${name}(?:\\s[^<>]{0,500})?>`, 'gi')
  const pieces = text.split(new RegExp(`(?<=</${name}>)`, 'i'))
  const rest = pieces.pop() ?? ''
  const joined = pieces.map((piece) => {
    const start = [...piece.matchAll(open)].at(-1)?.index ?? piece.length
    return piece.slice(0, start) + piece.slice(start).replaceAll('\n', ' ')
  })
  return [...joined, rest].join('')
}

function toLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '')
    .split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}
