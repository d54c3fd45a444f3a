import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { toDisposition } from './apply-plan.ts'
import { assertPositions, toRefusals } from './decide-plan.ts'
import type { DreamingNeeds } from './needs.ts'
import type { Pass, StagedOperation } from './pass.ts'
import { dreamingRefusal, passNotFound } from './refusals.ts'
import { deleteFactsOf, saveRefusals } from './store/ledger.ts'
import { listOperations, updateOutcomes } from './store/operations.ts'
import { lockPass, updatePass } from './store/passes.ts'
import { queueOperations } from './union.ts'

interface UndoRequest {
  readonly passId: string
  readonly only?: readonly number[] | undefined
  /** Operations whose rows have changed since stay. */
  readonly partial: boolean
  readonly dryRun: boolean
  readonly reason?: string | undefined
}

export interface UndoResult {
  readonly pass: Pass
  readonly undone: readonly number[]
  readonly remaining: readonly { readonly position: number; readonly error: string }[]
}

class DryRun extends Error {
  readonly reply: UndoResult

  constructor(reply: UndoResult) {
    super('The dry run is rolled back.')
    this.reply = reply
  }
}

/** Puts back what a pass has changed, the last operation first, in one transaction. */
export async function undoPass(
  needs: DreamingNeeds,
  caller: Caller,
  request: UndoRequest,
): Promise<UndoResult> {
  try {
    return await transaction(needs.db, (db) => undoAll(needs, db, { caller, request }))
  } catch (error) {
    if (error instanceof DryRun) return error.reply
    throw error
  }
}

interface Undoing {
  readonly caller: Caller
  readonly request: UndoRequest
}

async function undoAll(
  needs: DreamingNeeds,
  db: Db,
  { caller, request }: Undoing,
): Promise<UndoResult> {
  const { agentId } = caller
  const { passId, only, partial, dryRun } = request
  const pass = await lockPass(db, agentId, passId)
  if (!pass) throw passNotFound()
  const operations = await listOperations(db, passId)
  assertPositions(operations, only)
  const chosen = selectApplied(operations, only)
  const remaining: { position: number; error: string }[] = []
  for (const operation of chosen.toReversed()) {
    const error = await undoOne(needs, db, { caller, operation, reason: request.reason })
    if (error !== undefined) remaining.push({ position: operation.position, error })
  }
  const positions = remaining.map(({ position }) => position)
  if (remaining.length > 0 && !partial) throw dreamingRefusal('changed_since', { positions })
  const undone = chosen.filter(({ position }) => !positions.includes(position))
  const disposition = await withdraw(needs, db, { pass, operations, undone })
  const reply = {
    pass: { ...pass, disposition },
    undone: undone.map((one) => one.position),
    remaining,
  }
  if (dryRun) throw new DryRun(reply)
  return reply
}

function selectApplied(
  operations: readonly StagedOperation[],
  only: readonly number[] | undefined,
): StagedOperation[] {
  const inScope = operations.filter(({ position }) => only?.includes(position) ?? true)
  const chosen = inScope.filter(({ state }) => state === 'applied')
  if (chosen.length > 0) return chosen
  const isUndone = inScope.some(({ state }) => state === 'undone')
  throw dreamingRefusal(isUndone ? 'already_undone' : 'not_applied')
}

const keptCodes: ReadonlySet<string> = new Set(['changed_since', 'not_found'])

/** Returns why the operation stays. One that was undone before counts as undone. */
async function undoOne(
  { ontology }: DreamingNeeds,
  db: Db,
  {
    caller,
    operation,
    reason,
  }: {
    readonly caller: Caller
    readonly operation: StagedOperation
    readonly reason: string | undefined
  },
): Promise<string | undefined> {
  // Undo does not reopen attention.
  if (queueOperations.has(operation.operation)) return undefined
  const { agentId, name, actorType } = caller
  const actor = { name, type: actorType }
  const proposalId = operation.proposalId ?? ''
  try {
    await ontology.undo({ agentId, actor, proposalId, reason, dryRun: false }, db)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_applied') return undefined
    if (keptCodes.has(error.code)) return error.code
    throw error
  }
}

interface Withdrawal {
  readonly pass: Pass
  readonly operations: readonly StagedOperation[]
  readonly undone: readonly StagedOperation[]
}

/** Facts go with their operations, and the same words do not bring them back. */
async function withdraw(
  { host }: DreamingNeeds,
  db: Db,
  { pass, operations, undone }: Withdrawal,
): Promise<Pass['disposition']> {
  const { id: passId, agentId } = pass
  const at = host.now().toISOString()
  await updateOutcomes(
    db,
    undone.map((one) => ({ ...one, state: 'undone' })),
  )
  const fingerprints = undone.flatMap(({ fingerprint }) => fingerprint ?? [])
  await deleteFactsOf(db, { passId, fingerprints })
  await saveRefusals(db, agentId, toRefusals(undone, { reason: 'undone', at }))
  const positions = new Set(undone.map(({ position }) => position))
  const states = operations.map(({ position, state }) => ({
    state: positions.has(position) ? ('undone' as const) : state,
  }))
  const disposition = toDisposition(states)
  await updatePass(db, passId, { disposition })
  return disposition
}
