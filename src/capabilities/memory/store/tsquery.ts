import { type Expression, type Phrase, parseExpression, type Term } from '../parse-expression.ts'

/** What stands before the first word of every memory in the index: see the migrations. */
export const beginning = "'^'"

/** As bytes; the server keeps no word of more. */
const longestWord = 2046

/** No server looks for words so much further apart in good time. */
const mostDistance = 64

/** As many of its signs a server may be given; `NEAR` with many phrases has far more. */
const mostSigns = 100_000

/**
 * What an expression in FTS5's syntax means, as PostgreSQL writes it, empty for what is in no text;
 * undefined for what is no expression. Of three phrases or more that are near each other and not of
 * one length, a shorter one may be as far off as the longest.
 */
export function toTsquery(expression: string): string | undefined {
  const parsed = parseExpression(expression)
  if (!parsed) return undefined
  const written = write(parsed) ?? ''
  return written.length > mostSigns ? undefined : written
}

/** Undefined for what is in no text. */
function write(expression: Expression): string | undefined {
  if (expression.kind === 'nothing') return undefined
  if (expression.kind === 'near') return writeNear(expression.phrases, expression.distance)
  if (expression.kind === 'except') {
    const wanted = write(expression.wanted)
    const unwanted = write(expression.unwanted)
    return wanted === undefined || unwanted === undefined ? wanted : `(${wanted} & !${unwanted})`
  }
  const parts = expression.of.map(write)
  const present = parts.filter((part) => part !== undefined)
  if (expression.kind === 'all')
    return present.length < parts.length ? undefined : join(present, ' & ')
  return present.length === 0 ? undefined : join(present, ' | ')
}

/** Each of the phrases may be the first, and the others begin at its beginning or behind it. */
function writeNear(phrases: readonly Phrase[], distance: number): string | undefined {
  const isTooLong = ({ word }: Term) => Buffer.byteLength(word) > longestWord
  if (phrases.length === 0 || phrases.some(({ terms }) => terms.some(isTooLong))) return undefined
  const [only] = phrases
  if (only && phrases.length === 1) return writePhrase(only)
  const orders = phrases.map((first) => {
    const others = phrases.filter((phrase) => phrase !== first)
    return writeOrder(first, others, Math.min(distance, mostDistance))
  })
  return join(orders, ' | ')
}

function writeOrder(first: Phrase, others: readonly Phrase[], distance: number): string {
  const start = first.terms.slice(0, 1).map(writeTerm).join('')
  const offsets = Array.from({ length: distance + first.terms.length + 1 }, (_, offset) => offset)
  const behind = others.map((other) => {
    const phrase = writePhrase(other)
    return join(
      offsets.map((offset) => `${start} <${offset}> ${phrase}`),
      ' | ',
    )
  })
  return `(${start} <0> ${join([writePhrase(first), ...behind], ' & ')})`
}

function writePhrase({ terms, leads }: Phrase): string {
  const words = terms.map(writeTerm)
  return join(leads ? [beginning, ...words] : words, ' <-> ')
}

function writeTerm({ word, prefix }: Term): string {
  const quoted = `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  return prefix ? `${quoted}:*` : quoted
}

function join(parts: readonly string[], operator: string): string {
  return parts.length === 1 ? parts.join('') : `(${parts.join(operator)})`
}
