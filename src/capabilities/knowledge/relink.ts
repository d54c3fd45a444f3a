import type { RepairAction, RepairOutcome, RepairStep } from '../../kernel/capability/repair.ts'
import type { Db } from '../../kernel/db/database.ts'
import { listNameCandidates } from './focal/names-in-text.ts'
import type { KnowledgeNeeds } from './needs.ts'
import { findNamed } from './store/focal.ts'
import { insertMentions, isMentioned, recountMentions } from './store/mentions.ts'

type RelinkNeeds = Pick<KnowledgeNeeds, 'db' | 'memory'>

const defaultBatchSize = 500

/** Links memories without an entity to the entities whose names they hold. Creates none. */
export function createRelink({ db, memory }: RelinkNeeds): RepairAction {
  return {
    name: 'relink-entities',
    run: async (step) => {
      const { agentId = 'default', batchSize = defaultBatchSize } = step.input
      const after = typeof step.cursor === 'number' ? step.cursor : 0
      const filter = { agentId, isLinked: isMentioned }
      const rows = await memory.unlinked.list(db, { ...filter, after, limit: batchSize })
      const links = await findLinks(db, agentId, rows)
      const last = rows.length === batchSize ? (rows.at(-1)?.position ?? null) : null
      const remaining = await memory.unlinked.count(db, filter)
      const batch = { agentId, links, next: last, processed: rows.length }
      return saveLinks(step, { ...batch, remaining })
    },
    describe: ({ counts, details, dryRun }) => {
      const { linked = 0, processed = 0 } = counts
      const verb = dryRun ? 'Would link' : 'Linked'
      return `${verb} ${linked} of ${processed} memories; ${details['remaining'] ?? 0} have no entity.`
    },
  }
}

interface Link {
  readonly memoryId: string
  readonly entityIds: readonly string[]
}

async function findLinks(
  db: Db,
  agentId: string,
  rows: readonly { readonly id: string; readonly content: string }[],
): Promise<readonly Link[]> {
  const links: Link[] = []
  for (const { id: memoryId, content } of rows) {
    const { phrases } = listNameCandidates(content)
    const named = await findNamed(db, agentId, phrases)
    if (named.length > 0)
      links.push({ memoryId, entityIds: [...new Set(named.map(({ id }) => id))] })
  }
  return links
}

interface LinkBatch {
  readonly agentId: string
  readonly links: readonly Link[]
  readonly next: number | null
  readonly processed: number
  readonly remaining: number
}

function saveLinks(
  { dryRun, save }: RepairStep,
  { agentId, links, next, processed, remaining }: LinkBatch,
): RepairOutcome | Promise<RepairOutcome> {
  const entityIds = [...new Set(links.flatMap((link) => link.entityIds))]
  const outcome = {
    affected: links.length,
    next,
    endsRun: true,
    counts: { processed, linked: links.length, entities: entityIds.length },
  }
  const left = remaining - links.length
  if (dryRun) return { ...outcome, details: { remaining, projectedRemaining: left } }
  return save(async (db) => {
    for (const { entityIds, memoryId } of links)
      await insertMentions(
        db,
        entityIds.map((entityId) => ({
          memoryId,
          entityId,
          agentId,
          origin: 'name' as const,
          lostAt: null,
        })),
      )
    await recountMentions(db, entityIds)
    return { ...outcome, details: { remaining: left } }
  })
}
