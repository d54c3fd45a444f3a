import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import type { SourcesOptions } from '../needs.ts'
import { deleteArtifacts, type SourceRows } from '../store/artifacts.ts'
import { deleteRunState } from '../store/checkpoints.ts'
import { listChunkIds, purgeChunks } from '../store/chunks.ts'

/** Numbers of the rows that a deletion removed. */
export interface Purged {
  readonly artifacts: number
  readonly chunks: number
  readonly entities: number
  readonly aspects: number
  readonly attributes: number
  readonly dependencies: number
}

export type PurgeNeeds = Pick<SourcesOptions, 'db' | 'host' | 'engine'>

/** Removes all rows of a source, in small transactions. May be repeated. */
export async function purgeSource(
  { db, host, engine }: PurgeNeeds,
  rows: SourceRows,
): Promise<Purged> {
  const purgedAt = host.now().toISOString()
  const repeat = async (step: () => Promise<number>) => {
    let total = 0
    for (let count = await step(); count > 0; count = await step()) total += count
    return total
  }
  const chunks = await repeat(() =>
    transaction(db, async (db) => {
      const ids = await listChunkIds(db, rows)
      await purgeChunks(db, ids, purgedAt)
      afterCommit(db, () => engine.changed())
      return ids.length
    }),
  )
  const artifacts = await repeat(() => transaction(db, (db) => deleteArtifacts(db, rows)))
  await transaction(db, (db) => deleteRunState(db, rows))
  return { artifacts, chunks, entities: 0, aspects: 0, attributes: 0, dependencies: 0 }
}
