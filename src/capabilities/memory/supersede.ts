import type { Caller } from '../../kernel/auth/caller.ts'
import { mayRead } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { readForChange, refusalOf, versionConflict } from './change.ts'
import { assertWritable } from './freeze.ts'
import type { Memory } from './memory.ts'
import type { MemoryNeeds } from './needs.ts'
import { findMemory } from './store/memories.ts'
import { findConflict, isCycle, markSuperseded, type SupersedeConflict } from './supersession.ts'

export interface SupersedeRequest {
  readonly id: string
  readonly supersededBy: string
  readonly reason: string | null
}

export interface SupersedeResult {
  readonly id: string
  readonly status: 'superseded'
  readonly supersededBy: string
  readonly currentVersion: number
  readonly newVersion: number
  /** The memory was already superseded; nothing was written. */
  readonly idempotent: boolean
}

/** Marks a memory as superseded by an existing one. */
export function supersede(
  needs: MemoryNeeds,
  caller: Caller,
  { id, supersededBy, reason }: SupersedeRequest,
): Promise<SupersedeResult> {
  assertWritable(needs.config())
  return transaction(needs.db, async (db) => {
    const target = await readForChange({ ...needs, caller }, db, id)
    const successor = await readSuccessor(needs, db, { caller, id: supersededBy })
    const conflict = findConflict(target, successor)
    if (conflict) throw toConflictRefusal(target, conflict)
    const { version: currentVersion } = target
    const outcome = { id, status: 'superseded', supersededBy, currentVersion } as const
    if (target.supersededBy === supersededBy)
      return { ...outcome, newVersion: currentVersion, idempotent: true }
    if (await isCycle(db, target, successor)) throw toConflictRefusal(target, 'supersede_cycle')
    if (!(await markSuperseded({ ...needs, caller }, db, { target, successor, reason })))
      throw versionConflict(target)
    return { ...outcome, newVersion: currentVersion + 1, idempotent: false }
  })
}

async function readSuccessor(
  { agents }: MemoryNeeds,
  db: Db,
  { caller, id }: { readonly caller: Caller; readonly id: string },
): Promise<Memory> {
  const successor = await findMemory(db, id)
  if (
    successor &&
    successor.deletedAt === null &&
    mayRead(await agents.readScopeOf(db, caller), successor)
  )
    return successor
  const details = { id, status: 'target_not_found' }
  throw new Refusal('not_found', 'target_not_found', 'target not found', details)
}

function toConflictRefusal(memory: Memory, conflict: SupersedeConflict): Refusal {
  switch (conflict) {
    case 'self_supersede':
      return refusalOf(memory, 'self_supersede', 'A memory cannot supersede itself.', 'invalid')
    case 'scope_mismatch':
      return refusalOf(
        memory,
        'scope_mismatch',
        'The memories differ in agent, project, scope or visibility.',
      )
    case 'supersede_cycle':
      return refusalOf(memory, 'supersede_cycle', 'Superseding would create a cycle.')
    case 'deleted':
      return refusalOf(memory, 'deleted', 'Memory is deleted.')
    default:
      return refusalOf(
        memory,
        'already_superseded',
        'Memory is already superseded by another memory.',
      )
  }
}
