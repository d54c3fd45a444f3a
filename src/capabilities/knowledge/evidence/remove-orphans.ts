import type { RepairAction, RepairCursor, RepairStep } from '../../../kernel/capability/repair.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { KnowledgeContext } from '../needs.ts'
import {
  countByAgent,
  countOrphanedLinks,
  type LinkTable,
  linkTables,
  listMissing,
} from '../store/orphaned.ts'
import { purgeRows } from './purge.ts'
import { withholdRows } from './withhold.ts'

/** Memories of one slice. */
const sliceSize = 500

/**
 * Removes the links to memories without a row, with the rows that nothing else supports. A purge
 * removes its own links, so that only damage leaves some.
 */
export function createOrphanRemoval(needs: KnowledgeContext): RepairAction {
  const { db, background = db, memory } = needs
  return {
    name: 'retention-sweep',
    run: async (step) => {
      const { after, table } = readPosition(step.cursor)
      const { isStored } = memory.vectorSources
      const page = { table, after, limit: sliceSize, isStored }
      const { ids, last } = await listMissing(background, page)
      const next = toNext(table, last)
      if (ids.length === 0) return toOutcome(0, next)
      if (step.dryRun) return toOutcome(sum(await countByAgent(background, table, ids)), next)
      return step.save(async (own) => toOutcome(await removeLinks(needs, own, ids), next))
    },
  }
}

/** Counts the links to memories without a row. */
export function createOrphanCount({ memory }: Pick<KnowledgeContext, 'memory'>) {
  return (db: Db, sliceMemories?: number) =>
    countOrphanedLinks(db, memory.vectorSources.isStored, sliceMemories)
}

async function removeLinks(
  needs: KnowledgeContext,
  db: Db,
  ids: readonly string[],
): Promise<number> {
  const counts = []
  for (const table of linkTables) counts.push(...(await countByAgent(db, table, ids)))
  for (const agentId of new Set(counts.map((count) => count.agentId))) {
    const change = { agentId, kind: 'memory', ids } as const
    await withholdRows(needs, db, change)
    await purgeRows(needs, db, change)
  }
  return sum(counts)
}

function sum(counts: readonly { readonly count: number | string }[]): number {
  return counts.reduce((total, { count }) => total + Number(count), 0)
}

function readPosition(cursor: RepairStep['cursor']) {
  const { table, after } = Object(cursor) as { table?: LinkTable; after?: string }
  return { table: table ?? linkTables[0], after: after ?? '' }
}

function toNext(table: LinkTable, last: string | null): RepairCursor {
  if (last !== null) return { table, after: last }
  const following = linkTables[linkTables.indexOf(table) + 1]
  return following === undefined ? null : { table: following, after: '' }
}

function toOutcome(graphLinks: number, next: RepairCursor) {
  return { affected: graphLinks, next, counts: { graphLinks } }
}
