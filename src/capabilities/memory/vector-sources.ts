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

/** Read access for the embeddings capability, which provides `hasVector`. */
export function vectorSources({ db, agents }: Pick<MemoryNeeds, 'db' | 'agents'>) {
  return {
    isStored,
    isLive,
    listChanged,
    listTexts,
    lockHashes,
    countLive,
    countUnprocessed,
    /** Counts current memories that the caller may read. */
    countReadable: async (caller: Caller, of: Namespace & { readonly hasVector: HasVector }) =>
      await countListable(db, await agents.readScopeOf(db, caller), of),
    listReadable: async (caller: Caller, page: EmbeddedPage) =>
      await listEmbedded(db, await agents.readScopeOf(db, caller), page),
  }
}
