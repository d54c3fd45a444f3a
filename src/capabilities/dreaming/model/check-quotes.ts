import type { Db } from '../../../kernel/db/database.ts'
import { containsName, findQuoteFault } from '../check/grounding.ts'
import { toRef } from '../evidence/evidence.ts'
import { type RenderedSource, readSource } from '../evidence/source.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { CitedQuote } from '../pass.ts'
import type { QuoteReading } from '../rules/read-quote.ts'
import { findExclusion } from '../store/attention.ts'

/** A quote that stands in its source, as the rules read it. */
export interface CheckedQuote {
  readonly cited: CitedQuote
  readonly source: RenderedSource
  readonly start: number
  readonly reading: QuoteReading
}

/** `code: reason` */
export type Fault = string

interface Request {
  readonly agentId: string
  readonly evidence: readonly CitedQuote[]
  readonly endsValue: boolean
}

/** Characters of the source around a quote that the rules read. */
const contextLength = 8_000

/** Finds each quote in its source, and reads the sentences in which it stands. */
export async function checkQuotes(
  needs: DreamingNeeds,
  db: Db,
  { agentId, evidence, endsValue }: Request,
): Promise<readonly CheckedQuote[] | Fault> {
  const found: Omit<CheckedQuote, 'reading'>[] = []
  for (const item of evidence) {
    const cited = { ...item, quote: item.quote.trim() }
    const source = await readSource(needs, db, { ...cited, agentId })
    const exclusion = source && (await findExclusion(db, { ...cited, agentId }))
    if (!source || exclusion?.requeueRequestedAt === null)
      return `citation: ${toRef(cited)} is no evidence.`
    const fault = findQuoteFault(source.text, cited.quote)
    if (fault !== undefined) return `quote: ${fault}`
    found.push({ cited, source, start: source.text.indexOf(cited.quote) })
  }
  const readings = await needs.rules.readQuotes(found.map((one) => toRequest(one, endsValue)))
  const checked = found.flatMap((one, at) => {
    const reading = readings[at]
    return reading ? [{ ...one, reading }] : []
  })
  return findStatementFault(checked) ?? checked
}

function toRequest({ cited, source, start }: Omit<CheckedQuote, 'reading'>, endsValue: boolean) {
  const before = source.text.lastIndexOf('\n', Math.max(0, start - contextLength)) + 1
  const from = start > contextLength ? before : 0
  return {
    text: source.text.slice(from, start + cited.quote.length + contextLength / 2),
    start: start - from,
    length: cited.quote.length,
    isTranscript: source.sourceKind === 'transcript',
    endsValue,
  }
}

/** What an assistant says counts only together with words of the user. */
function findStatementFault(quotes: readonly CheckedQuote[]): Fault | undefined {
  const bad = quotes.find(({ reading }) => !reading.isStatement)
  if (bad) return `not_a_statement: ${toRef(bad.cited)} is quoted, code, or addresses the memory.`
  const ofAssistant = quotes.filter(({ reading }) => reading.role === 'assistant')
  const alone = ofAssistant.find(
    ({ cited }) =>
      !quotes.some(({ cited: other, reading }) => reading.role === 'user' && isSame(cited, other)),
  )
  return alone
    ? `not_a_statement: ${toRef(alone.cited)} is the word of an assistant. Quote the user too.`
    : undefined
}

function isSame(one: CitedQuote, other: CitedQuote): boolean {
  return one.sourceKind === other.sourceKind && one.sourceId === other.sourceId
}

interface Naming {
  readonly names: readonly string[]
  /** The name of the person who writes the user lines of transcripts. */
  readonly user: string
}

/** Whether the source speaks of an entity: by a name of it, or in the first person of it. */
export function speaksOf(quotes: readonly CheckedQuote[], { names, user }: Naming): boolean {
  return quotes.some(({ source, reading }) => {
    if (names.some((name) => containsName(source.text, name))) return true
    if (!reading.isFirstPerson || source.trust !== 'own') return false
    const speaker = source.sourceKind === 'transcript' ? user : (source.speaker ?? '')
    return speaker !== '' && names.some((name) => containsName(name, speaker))
  })
}
