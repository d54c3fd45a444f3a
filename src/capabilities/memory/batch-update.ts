import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { refuseWhenFrozen } from './freeze.ts'
import type { MemoryNeeds } from './needs.ts'
import { type UpdateRequest, updateMemory } from './update.ts'
import { updateBody } from './update-schemas.ts'

export interface BatchUpdate {
  readonly reason: string | undefined
  readonly patches: readonly unknown[]
}

export interface Patched {
  readonly id: string
  readonly status: string
  readonly error?: string
  readonly [more: string]: unknown
}

/** Each patch stands alone: what one is refused does not hold the next back. */
export async function batchUpdate(
  needs: MemoryNeeds,
  caller: Caller,
  { reason, patches }: BatchUpdate,
): Promise<readonly Patched[]> {
  refuseWhenFrozen(needs.config())
  const results: Patched[] = []
  // One after another: two patches of one memory are meant in their order.
  for (const written of patches) results.push(await apply(needs, caller, patchOf(written, reason)))
  return results
}

async function apply(needs: MemoryNeeds, caller: Caller, read: PatchRead): Promise<Patched> {
  if ('invalid' in read) return { id: read.id, status: 'invalid_request', error: read.invalid }
  try {
    return { ...(await updateMemory(needs, caller, read.patch)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const status = error.kind === 'forbidden' ? 'forbidden' : error.code
    return { ...error.details, id: read.patch.id, status, error: error.message }
  }
}

type PatchRead =
  | { readonly patch: UpdateRequest }
  | { readonly id: string; readonly invalid: string }

/** A patch is an update with its id; without a reason of its own it has the batch's. */
function patchOf(written: unknown, reason: string | undefined): PatchRead {
  if (typeof written !== 'object' || written === null || Array.isArray(written))
    return { id: '', invalid: 'Each patch must be an object' }
  const fields: { readonly id?: unknown; readonly reason?: unknown } = written
  const id = typeof fields.id === 'string' ? fields.id.trim() : ''
  if (id === '') return { id, invalid: 'Patch id is required' }
  const { data, error } = updateBody.safeParse({ ...fields, reason: fields.reason ?? reason })
  if (data) return { patch: { ...data, id } }
  return { id, invalid: error.issues[0]?.message ?? 'invalid patch' }
}
