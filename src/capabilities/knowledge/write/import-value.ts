import { normalizeValue } from '../claim.ts'
import { listSlot } from '../store/claims.ts'
import { updateRows } from '../store/images.ts'
import type { GraphWrite } from './graph-write.ts'
import {
  insertClaim,
  newClaim,
  pinClaim,
  readSlotKey,
  supersede,
  type ValueInput,
} from './values.ts'

export interface ImportedValue extends ValueInput {
  readonly status: 'active' | 'superseded'
  readonly mode: 'add' | 'set'
  readonly version: number
  readonly assertedAt: string
  readonly isPinned: boolean
}

/**
 * Writes a value with its place in the history of its slot. Of two current values of a set slot,
 * the one asserted later remains active.
 */
export async function importValue(write: GraphWrite, input: ImportedValue) {
  const { assertedAt, mode, status, version } = input
  const slot = readSlotKey(input)
  const values = await listSlot(write.db, write.agentId, slot)
  const normalized = normalizeValue(input.value)
  const known = values.find(
    (one) =>
      one.normalizedContent === normalized && (one.version === version || one.status === status),
  )
  if (known) return { claim: known, isNew: false }
  const previous = values.find((one) => one.version < version)
  const draft = newClaim(write, { ...input, ...slot, previous, mode, version })
  const rivals = mode === 'set' ? values.filter((one) => one.status === 'active') : []
  const later = rivals.find((one) => one.assertedAt > assertedAt)
  const isCurrent = status === 'active' && !later
  const claim = {
    ...draft,
    assertedAt,
    status: isCurrent ? ('active' as const) : ('superseded' as const),
    supersededBy: later?.id ?? null,
  }
  await insertClaim(write, claim)
  if (isCurrent) await supersede(write, rivals, claim.id)
  const open = values.filter((one) => one.status === 'superseded' && one.supersededBy === null)
  const set = { supersededBy: claim.id, updatedAt: write.at }
  if (previous && open.includes(previous))
    await updateRows(write, { table: 'entityAttributes', rows: [previous] }, set)
  if (isCurrent && input.isPinned) await pinClaim(write, claim, true)
  return { claim, isNew: true }
}
