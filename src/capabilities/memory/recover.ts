import type { Caller } from '../../kernel/auth/caller.ts'
import { type ChangeRequest, type ChangeResult, changeMemory, refusalOf } from './change.ts'
import type { MemoryNeeds } from './needs.ts'

/** Days in which a deleted memory can be recovered. */
export const retentionDays = 30
/** The same in milliseconds. The sweep purges older ones. */
export const retentionWindowMs = retentionDays * 24 * 60 * 60 * 1000

export async function recover(
  needs: MemoryNeeds,
  caller: Caller,
  request: ChangeRequest,
): Promise<ChangeResult> {
  const { changed, memory } = await changeMemory({ ...needs, caller }, request, {
    event: 'recovered',
    check: (memory) => {
      if (memory.deletedAt === null)
        throw refusalOf(memory, 'not_deleted', 'The memory is not deleted.')
    },
    decide: (memory, now) => {
      if (Date.parse(now) - Date.parse(memory.deletedAt ?? '') > retentionWindowMs)
        throw refusalOf(memory, 'retention_expired', `Deleted over ${retentionDays} days ago.`)
      return { set: { deletedAt: null }, metadata: { retentionWindowMs } }
    },
  })
  await needs.embeddings.embed(memory)
  return changed
}
