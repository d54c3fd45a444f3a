import type { Caller } from '../../kernel/auth/caller.ts'
import type { MemoryNeeds } from './needs.ts'
import {
  countLive,
  countUnprocessed,
  type EmbeddedPage,
  isLive,
  isStored,
  listChanged,
  listEmbedded,
  listTexts,
  lockHashes,
} from './store/embeddable.ts'
import type { Namespace } from './store/filter.ts'
import { countListable, type HasVector } from './store/lists.ts'

/** What is asked by those who make vectors of memories; they say themselves which have one. */
export function vectorSources({ db, agents }: Pick<MemoryNeeds, 'db' | 'agents'>) {
  return {
    isStored,
    isLive,
    listChanged,
    listTexts,
    lockHashes,
    countLive,
    countUnprocessed,
    /** How many memories the caller may read and holds now. */
    countReadable: async (caller: Caller, of: Namespace & { readonly hasVector: HasVector }) =>
      await countListable(db, await agents.readScopeOf(db, caller), of),
    listReadable: async (caller: Caller, page: EmbeddedPage) =>
      await listEmbedded(db, await agents.readScopeOf(db, caller), page),
  }
}
