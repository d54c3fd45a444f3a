import type { Caller } from '../../kernel/auth/caller.ts'
import type { MemoryNeeds } from './needs.ts'
import {
  countLive,
  countUnsettled,
  isKept,
  listChanged,
  listEmbedded,
  listWords,
  lockHashes,
} from './store/embeddable.ts'
import { countListable } from './store/lists.ts'

/** What is asked by those who make vectors of memories; they say themselves which have one. */
export function vectorSources({ db, agents }: Pick<MemoryNeeds, 'db' | 'agents'>) {
  return {
    ...{ isKept, listChanged, listWords, lockHashes, countLive, countUnsettled },
    /** How many memories the caller may read and holds now. */
    countReadable: async (caller: Caller, hasVector: Parameters<typeof countListable>[2]) =>
      await countListable(db, await agents.readScopeOf(db, caller), hasVector),
    listReadable: async (caller: Caller, page: Parameters<typeof listEmbedded>[2]) =>
      await listEmbedded(db, await agents.readScopeOf(db, caller), page),
  }
}
