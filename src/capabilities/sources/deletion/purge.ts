import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import type { SourceCounts } from '../../knowledge/index.ts'
import { forgetArtifacts } from '../evidence-source.ts'
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

export type PurgeNeeds = Pick<
  SourcesOptions,
  'db' | 'host' | 'engine' | 'graph' | 'attention' | 'evidenceDependants'
>

const entitiesPerStep = 50

/** Removes all rows of a source, in small transactions. May be repeated. */
export async function purgeSource(
  needs: PurgeNeeds,
  rows: SourceRows & { readonly agentId: string },
): Promise<Purged> {
  const { db, host, engine } = needs
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
  const artifacts = await repeat(() =>
    transaction(db, async (db) => {
      const deleted = await deleteArtifacts(db, rows)
      const paths = deleted.map(({ sourcePath }) => sourcePath)
      await forgetArtifacts(needs, db, { agentId: rows.agentId, paths })
      return deleted.length
    }),
  )
  const graph = await purgeGraph(needs, rows)
  const { agentId, sourceId } = rows
  await transaction(db, async (db) => {
    await deleteRunState(db, rows)
    await needs.attention.drop(db, { agentId, subjectRef: `source:${sourceId}` })
  })
  return { artifacts, chunks, ...graph }
}

async function purgeGraph(
  { db, graph }: PurgeNeeds,
  rows: SourceRows & { readonly agentId: string },
): Promise<SourceCounts> {
  const total = { entities: 0, aspects: 0, attributes: 0, dependencies: 0 }
  for (;;) {
    const step = await transaction(db, (db) =>
      graph.removeSource(db, { ...rows, limit: entitiesPerStep }),
    )
    if (step.entities === 0) return total
    total.entities += step.entities
    total.aspects += step.aspects
    total.attributes += step.attributes
    total.dependencies += step.dependencies
  }
}
