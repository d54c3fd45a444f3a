import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import type { OntologyNeeds } from '../needs.ts'
import { findProposal } from '../store/proposals.ts'
import { type EvidenceItem, type EvidenceRef, parseItem } from './evidence.ts'
import { readEvidence } from './read-evidence.ts'

export interface ResolvedItem {
  readonly kind: (typeof kindOf)[EvidenceRef['kind']] | OtherKind
  readonly found: boolean
  readonly sourceKind: string | null
  readonly sourceId: string | null
  readonly sourcePath: string | null
  readonly label: string
  readonly excerpt: string
  readonly reference: EvidenceItem
}

type OtherKind = 'ontology_proposal' | 'provided_quote' | 'unresolved'

const kindOf = {
  memory: 'memory',
  transcript: 'session_transcript',
  artifact: 'memory_artifact',
  summary: 'session_summary',
} as const
const maxExcerptLength = 1_200

/** The origin of evidence, read from the rows of the agent. No file is opened. */
export async function resolveItems(
  needs: OntologyNeeds,
  agentId: string,
  references: readonly EvidenceItem[],
): Promise<ResolvedItem[]> {
  const items: ResolvedItem[] = []
  for (const reference of references) {
    const item = await resolveItem(needs, agentId, reference)
    if (item) items.push(item)
  }
  return items
}

async function resolveItem(
  needs: OntologyNeeds,
  agentId: string,
  reference: EvidenceItem,
): Promise<ResolvedItem | undefined> {
  const { proposalId, refs, quote = '' } = parseItem(reference)
  const isEmpty = refs.length === 0 && proposalId === undefined && quote === ''
  if (isEmpty) return undefined
  const base = { sourceKind: null, sourceId: null, sourcePath: null, reference }
  const source =
    (await resolveProposal(needs, agentId, { proposalId, quote })) ??
    (await resolveSource(needs, agentId, { refs, quote }))
  if (source) return { ...base, found: true, ...source }
  if (quote === '')
    return { ...base, kind: 'unresolved', found: false, label: 'Unknown source', excerpt: '' }
  const excerpt = cut(quote, '')
  return { ...base, kind: 'provided_quote', found: true, label: 'Quote', excerpt }
}

type EvidenceSource = Pick<ResolvedItem, 'kind' | 'label' | 'excerpt'> & Partial<ResolvedItem>

async function resolveProposal(
  { db }: OntologyNeeds,
  agentId: string,
  { proposalId, quote }: { readonly proposalId: string | undefined; readonly quote: string },
): Promise<EvidenceSource | undefined> {
  if (proposalId === undefined) return undefined
  const proposal = await findProposal(db, agentId, proposalId)
  if (!proposal) return undefined
  const source = { sourceKind: 'ontology_proposal', sourceId: proposalId }
  const label = `Proposal: ${proposal.operation}`
  const excerpt = cut(quote === '' ? proposal.rationale : quote, '')
  return { ...source, kind: 'ontology_proposal', label, excerpt }
}

async function resolveSource(
  needs: OntologyNeeds,
  agentId: string,
  { refs, quote }: { readonly refs: readonly EvidenceRef[]; readonly quote: string },
): Promise<EvidenceSource | undefined> {
  for (const { kind, id } of refs) {
    const evidence = await readEvidence(needs, needs.db, { agentId, kind, id })
    if (!evidence) continue
    const source = { sourceKind: kind, sourceId: id, sourcePath: kind === 'artifact' ? id : null }
    const label = `${kind} of ${evidence.sourceTime}`
    return { ...source, kind: kindOf[kind], label, excerpt: cut(evidence.text, quote) }
  }
  return undefined
}

/** Centred on the quote where it occurs. */
function cut(input: string, quote: string): string {
  const text: string = toCleanText(input)
  const at = quote === '' ? -1 : text.indexOf(quote)
  const middle = at === -1 ? 0 : at + Math.floor(quote.length / 2)
  const from = Math.max(0, middle - maxExcerptLength / 2)
  return text.slice(from, from + maxExcerptLength).toWellFormed()
}
