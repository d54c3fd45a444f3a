import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import type { OntologyNeeds } from '../needs.ts'
import { findProposal } from '../store/proposals.ts'
import { type EvidenceItem, type EvidenceRef, parseItem } from './evidence.ts'
import { createEvidenceReader, type EvidenceReader } from './read-evidence.ts'

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
  const sources = await openSources(needs, agentId, references)
  const items: ResolvedItem[] = []
  for (const reference of references) {
    const item = await resolveItem(sources, reference)
    if (item) items.push(item)
  }
  return items
}

interface Sources {
  readonly needs: OntologyNeeds
  readonly agentId: string
  readonly read: EvidenceReader
}

/** Memories are read with one statement. */
async function openSources(
  needs: OntologyNeeds,
  agentId: string,
  references: readonly EvidenceItem[],
): Promise<Sources> {
  const refs = references.flatMap((reference) => parseItem(reference).refs)
  return { needs, agentId, read: await createEvidenceReader(needs, needs.db, { agentId, refs }) }
}

/** Adds the source and its words to citations of one reply. */
export async function createCitationReader(
  needs: OntologyNeeds,
  agentId: string,
  citations: readonly CitedSource[],
) {
  const sources = await openSources(needs, agentId, citations.map(toReference))
  return async (citation: CitedSource) => {
    const reference = toReference(citation)
    const item = (await resolveItem(sources, reference)) ?? unresolved(reference)
    return { ...item, ...citation }
  }
}

/** A citation of the graph. */
interface CitedSource {
  readonly sourceKind: string
  readonly sourceId: string
  /** Empty for a source as a whole. */
  readonly quote: string
  readonly sourceTime: string
  readonly proposalId: string | null
}

function toReference({ sourceKind, sourceId, quote }: CitedSource) {
  return { source_kind: sourceKind, source_id: sourceId, ...(quote !== '' && { quote }) }
}

async function resolveItem(
  sources: Sources,
  reference: EvidenceItem,
): Promise<ResolvedItem | undefined> {
  const { proposalId, refs, quote = '' } = parseItem(reference)
  const isEmpty = refs.length === 0 && proposalId === undefined && quote === ''
  if (isEmpty) return undefined
  const base = { sourceKind: null, sourceId: null, sourcePath: null, reference }
  const source =
    (await resolveProposal(sources, { proposalId, quote })) ??
    (await resolveSource(sources, { refs, quote }))
  if (source) return { ...base, found: true, ...source }
  if (quote === '') return unresolved(reference)
  const excerpt = cut(quote, '')
  return { ...base, kind: 'provided_quote', found: true, label: 'Quote', excerpt }
}

function unresolved(reference: EvidenceItem): ResolvedItem {
  const source = { sourceKind: null, sourceId: null, sourcePath: null }
  const label = 'Unknown source'
  return { ...source, kind: 'unresolved', found: false, label, excerpt: '', reference }
}

type EvidenceSource = Pick<ResolvedItem, 'kind' | 'label' | 'excerpt'> & Partial<ResolvedItem>

async function resolveProposal(
  { needs: { db }, agentId }: Sources,
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
  { read }: Sources,
  { refs, quote }: { readonly refs: readonly EvidenceRef[]; readonly quote: string },
): Promise<EvidenceSource | undefined> {
  for (const { kind, id } of refs) {
    const evidence = await read({ kind, id })
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
  return sliceText(text, from, from + maxExcerptLength)
}
