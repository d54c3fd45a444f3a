import type { Caller } from '../../../kernel/auth/caller.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import type { Refusal } from '../../../kernel/errors/refusal.ts'
import { notFound } from '../../../kernel/errors/refusal.ts'
import type { OntologyNeeds } from '../needs.ts'
import { type AppliedBatch, applyOperations } from '../operations/apply-operations.ts'
import type { Actor, OperationRequest } from '../operations/request.ts'
import type { Proposal } from '../proposal.ts'
import { ontologyRefusal } from '../refusals.ts'
import { claimPending, findProposal, updateProposal } from '../store/proposals.ts'

interface Review {
  readonly agentId: string
  readonly id: string
  readonly actor: Actor
}

export async function readProposal(
  { db }: Pick<OntologyNeeds, 'db'>,
  { agentId }: Pick<Caller, 'agentId'>,
  id: string,
): Promise<Proposal> {
  const proposal = await findProposal(db, agentId, id)
  if (!proposal) throw notFound('Proposal not found')
  return proposal
}

/** Thrown inside the transaction of an apply, to roll it back. */
class Refused extends Error {
  readonly refusal: Refusal
  readonly proposal: Proposal

  constructor(refusal: Refusal, proposal: Proposal) {
    super('The proposal is refused.')
    this.refusal = refusal
    this.proposal = proposal
  }
}

/** Applies a pending proposal. An invalid one fails; one whose target is missing stays pending. */
export async function applyProposal(
  needs: OntologyNeeds,
  { agentId, id, actor, dryRun }: Review & { readonly dryRun: boolean },
): Promise<AppliedBatch> {
  try {
    return await transaction(needs.db, async (db) => {
      await needs.memory.projections.lock(db)
      const proposal = await claimPending(db, agentId, id)
      if (!proposal) throw await explain({ db }, agentId, id)
      const batch = {
        agentId,
        actor,
        origin: { kind: 'proposal', id: null },
        mode: 'all',
        dryRun,
        citations: 'optional',
        operations: [toRequest(proposal)],
        proposals: [proposal],
      } as const
      const result = await applyOperations(needs, batch, db)
      if (result.refusal) throw new Refused(result.refusal, proposal)
      if (dryRun) throw new DryRun(result)
      return result
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result
    if (!(error instanceof Refused)) throw error
    if (error.refusal.kind === 'invalid' && !dryRun) await fail(needs, error)
    throw error.refusal
  }
}

/** Rolls the claim of a dry run back. */
class DryRun extends Error {
  readonly result: AppliedBatch

  constructor(result: AppliedBatch) {
    super('The dry run is rolled back.')
    this.result = result
  }
}

async function explain(
  needs: Pick<OntologyNeeds, 'db'>,
  agentId: string,
  id: string,
): Promise<Refusal> {
  await readProposal(needs, { agentId }, id)
  return ontologyRefusal('not_pending')
}

function toRequest(proposal: Proposal): OperationRequest {
  const { operation, payload, evidence, confidence, rationale, risk } = proposal
  const { sourceKind, sourceId, sourcePath, sourceRoot } = proposal
  const source = { sourceKind, sourceId, sourcePath, sourceRoot }
  return { operation, payload, evidence, confidence, rationale, risk, source }
}

async function fail(needs: OntologyNeeds, { refusal, proposal }: Refused): Promise<void> {
  const updatedAt = needs.host.now().toISOString()
  await transaction(needs.db, async (db) => {
    const claimed = await claimPending(db, proposal.agentId, proposal.id)
    const result = { error: refusal.message }
    if (claimed) await updateProposal(db, { ...claimed, status: 'failed', result, updatedAt })
  })
}

export async function rejectProposal(
  needs: OntologyNeeds,
  { agentId, id, actor, reason = 'rejected' }: Review & { readonly reason?: string | undefined },
): Promise<Proposal> {
  const at = needs.host.now().toISOString()
  return transaction(needs.db, async (db) => {
    const proposal = await claimPending(db, agentId, id)
    if (!proposal) throw await explain({ db }, agentId, id)
    const rejection = { rejectedBy: actor.name, rejectedAt: at, updatedAt: at, result: { reason } }
    const rejected = { ...proposal, ...rejection, status: 'rejected' } as const
    await updateProposal(db, rejected)
    return rejected
  })
}
