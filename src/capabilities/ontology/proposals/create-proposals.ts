import type { Db } from '../../../kernel/db/database.ts'
import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { redactContent } from '../../../kernel/redaction/redact-content.ts'
import { ontologyProposed } from '../events.ts'
import { parseItem } from '../evidence/evidence.ts'
import { readEvidence } from '../evidence/read-evidence.ts'
import type { OntologyNeeds } from '../needs.ts'
import { toItem } from '../operations/cite-evidence.ts'
import { type OperationRequest, parseOperation } from '../operations/request.ts'
import { maxPending, type Origin, type Proposal, riskOf } from '../proposal.ts'
import { ontologyRefusal } from '../refusals.ts'
import { countPending, insertEvidenceLinks, insertProposals } from '../store/proposals.ts'
import { fingerprintOf } from './fingerprint.ts'

const defaultConfidence = 0.7

interface NewProposals {
  readonly agentId: string
  readonly createdBy: string
  /** By request, where requests have different authors. */
  readonly authors?: readonly string[]
  readonly requests: readonly OperationRequest[]
}

/** Redacts what a caller sent, and reads it as operations. Names the invalid item. */
export function parseOperations(
  { secretPolicy }: Pick<OntologyNeeds, 'secretPolicy'>,
  input: readonly unknown[],
  field: string,
): readonly OperationRequest[] {
  const { value } = redactContent(input, secretPolicy())
  return value.map((item, index) => {
    try {
      return parseOperation(item)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw new Refusal(error.kind, error.code, `${field}[${index}]: ${error.message}`, { index })
    }
  })
}

/** Stores proposals for review. Nothing is applied. */
export async function createProposals(
  needs: OntologyNeeds,
  { agentId, createdBy, authors = [], requests }: NewProposals,
  db: Db = needs.db,
): Promise<readonly Proposal[]> {
  const at = needs.host.now().toISOString()
  const proposals = requests.map((request, index) => {
    const author = authors[index] ?? createdBy
    return newProposal(request, { id: needs.host.newId(), agentId, createdBy: author, at })
  })
  await transaction(db, async (db) => {
    await needs.memory.projections.lock(db)
    if ((await countPending(db, agentId)) + proposals.length > maxPending)
      throw ontologyRefusal('too_many', { limit: maxPending })
    await insertProposals(db, proposals)
    for (const proposal of proposals) await linkEvidence(needs, db, proposal)
    const proposalIds = proposals.map(({ id }) => id)
    afterCommit(db, () => needs.events.emit(ontologyProposed, { agentId, proposalIds }))
  })
  return proposals
}

function newProposal(
  request: OperationRequest,
  { id, agentId, createdBy, at }: Readonly<Record<'id' | 'agentId' | 'createdBy' | 'at', string>>,
): Proposal {
  const { operation, payload, evidence, rationale, source } = request
  const confidence = request.confidence ?? defaultConfidence
  return {
    ...source,
    id,
    agentId,
    operation,
    status: 'pending',
    payload,
    confidence,
    rationale,
    evidence,
    risk: riskOf({ confidence, risk: request.risk }),
    createdBy,
    appliedBy: null,
    rejectedBy: null,
    result: null,
    createdAt: at,
    updatedAt: at,
    appliedAt: null,
    rejectedAt: null,
    batchId: null,
    origin: null,
    undoneBy: null,
    imageCount: 0,
    fingerprint: fingerprintOf({ ...source, operation, payload }),
    withheldAt: null,
  }
}

type Cited = Origin & Pick<Proposal, 'id' | 'agentId' | 'evidence'>

/** A proposal or an assertion is deleted with its sources. */
export async function linkEvidence(needs: OntologyNeeds, db: Db, subject: Cited): Promise<void> {
  const { id: subjectId, agentId, evidence } = subject
  const refs = [...evidence, toItem(subject)].flatMap((item) => parseItem(item).refs)
  const links = []
  for (const { kind: sourceKind, id: sourceId } of refs) {
    const source = await readEvidence(needs, db, { agentId, kind: sourceKind, id: sourceId })
    if (source) links.push({ subjectId, sourceKind, sourceId, agentId, lostAt: null })
  }
  await insertEvidenceLinks(db, links)
}
