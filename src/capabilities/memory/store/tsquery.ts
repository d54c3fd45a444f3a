import { type Expression, type Phrase, parseExpression, type Term } from '../expression.ts'

/** The tsvector of every memory starts with this marker: see the migrations. */
export const startMarker = "'^'"

/** PostgreSQL's limit for a lexeme, in bytes. */
const maxWordBytes = 2046

/** Larger distances are too slow. */
const maxDistance = 64

/** Characters of a tsquery. `NEAR` with many phrases would exceed it. */
const maxLength = 100_000

/**
 * Translates FTS5 syntax to a tsquery. Returns an empty string for an expression that matches
 * nothing, undefined for invalid syntax. With three or more `NEAR` phrases of different
 * lengths, the distance of a shorter phrase is measured as for the longest.
 */
export function toTsquery(expression: string): string | undefined {
  const parsed = parseExpression(expression)
  if (!parsed) return undefined
  const tsquery = write(parsed) ?? ''
  return tsquery.length > maxLength ? undefined : tsquery
}

/** Undefined when nothing can match. */
function write(expression: Expression): string | undefined {
  if (expression.kind === 'nothing') return undefined
  if (expression.kind === 'near') return writeNear(expression.phrases, expression.distance)
  if (expression.kind === 'except') {
    const included = write(expression.wanted)
    const excluded = write(expression.unwanted)
    return included === undefined || excluded === undefined
      ? included
      : `(${included} & !${excluded})`
  }
  const parts = expression.of.map(write)
  const present = parts.filter((part) => part !== undefined)
  if (expression.kind === 'all')
    return present.length < parts.length ? undefined : join(present, ' & ')
  return present.length === 0 ? undefined : join(present, ' | ')
}

/** Any phrase may be first. The others start at its start or after it. */
function writeNear(phrases: readonly Phrase[], distance: number): string | undefined {
  const isTooLong = ({ word }: Term) => Buffer.byteLength(word) > maxWordBytes
  if (phrases.length === 0 || phrases.some(({ terms }) => terms.some(isTooLong))) return undefined
  const [only] = phrases
  if (only && phrases.length === 1) return writePhrase(only)
  const orders = phrases.map((first) => {
    const others = phrases.filter((phrase) => phrase !== first)
    return writeOrder(first, others, Math.min(distance, maxDistance))
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

function writePhrase({ terms, anchored: leads }: Phrase): string {
  const words = terms.map(writeTerm)
  return join(leads ? [startMarker, ...words] : words, ' <-> ')
}

function writeTerm({ word, prefix }: Term): string {
  const term = `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  return prefix ? `${term}:*` : term
}

function join(parts: readonly string[], operator: string): string {
  return parts.length === 1 ? parts.join('') : `(${parts.join(operator)})`
}
