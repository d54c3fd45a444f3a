/** The repairs of the API: their values in replies and their limits. */
export const repairs = {
  'requeue-dead': { action: 'requeueDeadJobs', limit: 'requeue' },
  'release-leases': { action: 'releaseStaleLeases', limit: 'requeue' },
  'check-fts': { action: 'checkFtsConsistency', limit: 'checkFts' },
  'retention-sweep': { action: 'retention_sweep', limit: 'requeue' },
  're-embed': { action: 'reembedMissingMemories', limit: 'reembed' },
  're-embed-migration': { action: 'reembedModelMigration', limit: 'reembed' },
  'clean-orphans': { action: 'cleanOrphanedEmbeddings', limit: 'reembed' },
  deduplicate: { action: 'deduplicateMemories', limit: 'dedup' },
  'relink-entities': { action: 'relink-entities', limit: 'reembed' },
  'resync-vec': { action: 'resyncVectorIndex', limit: 'reembed' },
  'rebuild-indexes': { action: 'rebuildIndexes', limit: 'reembed' },
} as const

export type RepairName = keyof typeof repairs

export const repairNames = Object.keys(repairs) as readonly RepairName[]

export function isRepairName(name: string): name is RepairName {
  return Object.hasOwn(repairs, name)
}
