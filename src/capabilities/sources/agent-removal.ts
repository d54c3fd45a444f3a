import type { AgentRemoval } from '../../kernel/capability/capability.ts'
import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import type { SourceDeletion } from './deletion/delete-source.ts'
import { type PurgeNeeds, purgeSource } from './deletion/purge.ts'
import type { SourcesOptions } from './needs.ts'
import type { Registry } from './registry/registry.ts'
import { ownerOf } from './source.ts'
import { deleteRemovals } from './store/lifecycle.ts'

interface RemovalNeeds extends Omit<PurgeNeeds, 'db'>, Pick<SourcesOptions, 'log'> {
  readonly registry: Registry
  readonly deletion: Pick<SourceDeletion, 'delete'>
}

/** The sources of a removed agent: archived ones are paused, purged ones are deleted. */
export function createSourceRemoval(needs: RemovalNeeds): AgentRemoval {
  const { registry, deletion, log } = needs
  const listOwn = async (agentId: string) =>
    (await registry.list()).filter((source) => ownerOf(source) === agentId)
  /** The file of sources is no part of the transaction. */
  const later = (db: Db, work: () => Promise<unknown>) =>
    afterCommit(db, () => {
      void work().catch((error: unknown) => log.error({ err: error }, 'source removal failed'))
    })
  return {
    archive: async (db, agentId) => {
      const own = await listOwn(agentId)
      later(db, async () => {
        for (const source of own) await registry.update(source, { enabled: false })
      })
    },
    purge: async (db, agentId) => {
      const own = await listOwn(agentId)
      for (const { id } of own) await purgeSource({ ...needs, db }, { agentId, sourceId: id })
      await deleteRemovals(db, agentId)
      later(db, async () => {
        for (const { id } of own) await deletion.delete(agentId, id)
      })
    },
  }
}
