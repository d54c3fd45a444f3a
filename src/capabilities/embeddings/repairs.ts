import type { RepairAction } from '../../kernel/capability/repair.ts'
import { createModelMigration, createReembed } from './reembed.ts'
import { createResync } from './resync.ts'
import type { Runtime } from './runtime.ts'
import { deleteOrphansAmong, hasVectorOf, listOrphans } from './store/vectors.ts'

type RepairNeeds = Pick<Runtime, 'needs'>

export function createEmbeddingRepairs(runtime: Runtime): readonly RepairAction[] {
  return [
    createReembed(runtime),
    createModelMigration(runtime),
    createResync(runtime),
    {
      ...createOrphanCleaner(runtime),
      name: 'clean-orphans',
      describe: ({ affected, dryRun }) =>
        `${dryRun ? 'Would delete' : 'Deleted'} ${affected} vectors without a memory.`,
    },
  ]
}

/** Vectors of one slice. */
const sliceSize = 500

/** Deletes vectors whose memory is deleted or missing. A restored memory gets new ones. */
function createOrphanCleaner({ needs }: RepairNeeds): Pick<RepairAction, 'run'> {
  return {
    run: async ({ cursor, dryRun, save }) => {
      const after = typeof cursor === 'number' ? cursor : 0
      const { isPresent: isOwned } = needs.memories()
      const page = { after, limit: sliceSize, isOwned }
      const { orphans, last } = await listOrphans(needs.background, page)
      if (dryRun || orphans.length === 0) return { affected: orphans.length, next: last }
      return save(async (db) => ({
        affected: await deleteOrphansAmong(db, orphans, isOwned),
        next: last,
      }))
    },
  }
}

/** Live memories without a vector of the configured model. */
export async function readGaps({ needs, registry }: Pick<Runtime, 'needs' | 'registry'>) {
  const { active, target } = registry.models()
  const identity = (target ?? active)?.identity ?? ''
  const { total, embedded } = await needs
    .memories()
    .countLive(needs.background, hasVectorOf(identity))
  const coverage = total === 0 ? '100%' : `${((embedded / total) * 100).toFixed(1)}%`
  return { unembedded: total - embedded, total, coverage }
}
