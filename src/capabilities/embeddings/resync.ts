import type { RepairAction } from '../../kernel/capability/repair.ts'
import type { Runtime } from './runtime.ts'
import { findLastRevision, rewriteVectors } from './store/rewrite.ts'

const sliceSize = 200

/**
 * Writes the stored vectors again, so that each gets a new revision: the search index follows the
 * revisions and reads them again.
 */
export function createResync({ needs }: Pick<Runtime, 'needs'>): RepairAction {
  return {
    name: 'resync-vec',
    run: async ({ cursor, dryRun, save }) => {
      const { after, upTo } = await readRange(needs.background, cursor)
      if (dryRun) return { affected: 0, next: null }
      return save(async (db) => {
        const { last, rewritten } = await rewriteVectors(db, { after, upTo, limit: sliceSize })
        const next = last === undefined ? null : { after: last, upTo }
        return { affected: rewritten, next }
      })
    },
    describe: ({ affected, dryRun }) =>
      dryRun
        ? 'The search index would read all vectors again.'
        : `The search index reads ${affected} vectors again.`,
  }
}

async function readRange(db: Runtime['needs']['db'], cursor: unknown) {
  const { after, upTo } = Object(cursor)
  if (typeof after === 'number' && typeof upTo === 'number') return { after, upTo }
  return { after: 0, upTo: await findLastRevision(db) }
}
