import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { BatchUpdate, PatchResult } from './collection-schemas.ts'
import type { MemoryNeeds } from './needs.ts'
import { assertWritable } from './refusals.ts'
import { updateBody } from './schemas.ts'
import { type UpdateRequest, updateMemory } from './update.ts'

/** Applies each patch on its own. A refused patch does not stop the next one. */
export async function batchUpdate(
  needs: MemoryNeeds,
  caller: Caller,
  { reason, patches }: BatchUpdate,
): Promise<PatchResult[]> {
  assertWritable(needs.config())
  const results: PatchResult[] = []
  // Sequential: two patches of one memory apply in their order.
  for (const rawPatch of patches)
    results.push(await apply(needs, caller, parsePatch(rawPatch, reason)))
  return results
}

async function apply(needs: MemoryNeeds, caller: Caller, patch: ParsedPatch): Promise<PatchResult> {
  if ('invalid' in patch) return { id: patch.id, status: 'invalid_request', error: patch.invalid }
  try {
    return { ...(await updateMemory(needs, caller, patch.patch)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const status = error.kind === 'forbidden' ? 'forbidden' : error.code
    return { ...error.details, id: patch.patch.id, status, error: error.message }
  }
}

type ParsedPatch =
  | { readonly patch: UpdateRequest }
  | { readonly id: string; readonly invalid: string }

/** A patch is an update with its id. The batch's reason is the default. */
function parsePatch(rawPatch: unknown, reason: string | undefined): ParsedPatch {
  if (typeof rawPatch !== 'object' || rawPatch === null || Array.isArray(rawPatch))
    return { id: '', invalid: 'Each patch must be an object' }
  const fields: { readonly id?: unknown; readonly reason?: unknown } = rawPatch
  const id = typeof fields.id === 'string' ? fields.id.trim() : ''
  if (id === '') return { id, invalid: 'Patch id is required' }
  const { data, error } = updateBody.safeParse({ ...fields, reason: fields.reason ?? reason })
  if (data) return { patch: { ...data, id } }
  return { id, invalid: error.issues[0]?.message ?? 'invalid patch' }
}
