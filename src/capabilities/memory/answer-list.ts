import type { Caller } from '../../kernel/auth/caller.ts'
import { toRefusal } from '../../kernel/http/errors.ts'
import { toFailedList, toListReply } from './collection-schemas.ts'
import { type ListRequest, listMemories } from './list.ts'
import type { MemoryNeeds } from './needs.ts'

/** On a fault, returns an empty page with `error`, for callers that only read the page. */
export async function answerList(needs: MemoryNeeds, caller: Caller, page: ListRequest) {
  try {
    return toListReply(await listMemories(needs, caller, page))
  } catch (error) {
    if (toRefusal(error)) throw error
    needs.log.error({ err: error }, 'fault')
    return toFailedList()
  }
}
