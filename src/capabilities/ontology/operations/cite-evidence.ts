import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import type { Source } from '../../knowledge/index.ts'
import { type EvidenceItem, type EvidenceRef, parseItem } from '../evidence/evidence.ts'
import type { EvidenceReader } from '../evidence/read-evidence.ts'
import type { Origin } from '../proposal.ts'
import { ontologyRefusal } from '../refusals.ts'
import type { OperationBatch } from './request.ts'

export interface Cited {
  readonly evidence: readonly EvidenceItem[]
  readonly source: Origin
}

/** The sources of an operation that resolve. Quotes must occur in them where the rule requires it. */
export async function citeEvidence(
  read: EvidenceReader,
  { evidence, source }: Cited,
  rule: OperationBatch['citations'],
): Promise<Source[]> {
  const sources: Source[] = []
  for (const item of evidence) {
    const { refs, quote } = parseItem(item)
    const cited = await citeFirst(read, { refs, quote, rule })
    if (cited) sources.push(cited)
    else if (rule === 'exact-quote' && refs.length > 0) throw ontologyRefusal('evidence_required')
  }
  if (sources.length > 0) return sources
  const { refs } = parseItem(toItem(source))
  const cited = await citeFirst(read, { refs, quote: undefined, rule: 'optional' })
  return cited ? [cited] : []
}

/** The first quote that names no source: its author vouches for it. */
export function findOwnQuote(evidence: readonly EvidenceItem[]): string | undefined {
  const own = evidence.map(parseItem).find(({ refs, quote }) => refs.length === 0 && quote)
  return own?.quote && toCleanText(own.quote).trim()
}

/** The source that a proposal names as a whole, as an item of evidence. */
export function toItem({ sourceKind, sourceId, sourcePath }: Origin): EvidenceItem {
  return { source_kind: sourceKind, source_id: sourceId, source_path: sourcePath }
}

interface ItemRefs {
  readonly refs: readonly EvidenceRef[]
  readonly quote: string | undefined
  readonly rule: OperationBatch['citations']
}

async function citeFirst(
  read: EvidenceReader,
  { refs, quote = '', rule }: ItemRefs,
): Promise<Source | undefined> {
  for (const { kind, id } of refs) {
    const evidence = await read({ kind, id })
    if (!evidence) continue
    const { text, sourceTime, visibility, project } = evidence
    const words = toCleanText(quote).trim()
    const isQuoted = words !== '' && text.includes(words)
    if (!isQuoted && (rule === 'exact-quote' || (rule !== 'optional' && words !== '')))
      throw ontologyRefusal('quote_not_found', { source: `${kind}:${id}` })
    const base = { sourceKind: kind, sourceId: id, sourceTime, visibility, project }
    return { ...base, quote: isQuoted ? words : '' }
  }
  return undefined
}
