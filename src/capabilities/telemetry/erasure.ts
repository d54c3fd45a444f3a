import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { memoryForgotten } from '../memory/index.ts'
import { createBuffer } from './buffer.ts'
import type { TelemetryNeeds } from './needs.ts'
import { deleteEventsBefore, deleteEventsOf } from './store/events.ts'
import {
  deleteSearchesBefore,
  deleteSearchesOf,
  eraseContents,
  listRecordedMemoryIds,
} from './store/searches.ts'

const dayMs = 86_400_000
/** Small enough that concurrent writes hardly wait. */
const batchSize = 200
const flushDelayMs = 250

type Erasure = { readonly memory: string } | { readonly agent: string }

/** Erases the contents of forgotten memories and removed agents, and expired rows. */
export function createErasure(needs: TelemetryNeeds, recording: { flush(): Promise<unknown> }) {
  const { background: db, host, log, events, config } = needs
  const erasures = createBuffer<Erasure>({
    host,
    maxQueued: 10_000,
    batchSize: 500,
    flushDelayMs: flushDelayMs,
    write: async (removal) => {
      // Pending rows must be written before they can be erased.
      await recording.flush()
      const memories = removal.flatMap((one) => ('memory' in one ? one.memory : []))
      await eraseContents(db, memories)
      const agents = removal.flatMap((one) => ('agent' in one ? one.agent : []))
      for (const agent of agents) await deleteRowsOf(db, agent)
      if (agents.length > 0) await eraseMissing(needs)
    },
    onLost: (count, error) => log.warn({ err: error, count }, 'erasure deferred to next sweep'),
  })
  events.on(memoryForgotten, ({ id }) => erasures.add({ memory: id }))

  const removeAgent = async (db: Db, agentId: string) => {
    await deleteRowsOf(db, agentId)
    afterCommit(db, () => erasures.add({ agent: agentId }))
  }
  return {
    flush: () => erasures.flush(),
    sweep: async () => {
      const retentionMs = config().retentionDays * dayMs
      const before = new Date(host.now().getTime() - retentionMs).toISOString()
      for (const deleteBefore of [deleteSearchesBefore, deleteEventsBefore])
        while ((await deleteBefore(db, { before, limit: batchSize })) === batchSize);
      await eraseMissing(needs)
    },
    /** All rows of an agent are deleted with it. */
    agentRemoval: { archive: removeAgent, purge: removeAgent },
  }
}

async function deleteRowsOf(db: Db, agentId: string): Promise<void> {
  await deleteSearchesOf(db, agentId)
  await deleteEventsOf(db, agentId)
}

/** Erases contents of memories that were deleted without an event: with their agent, or while telemetry was stopped. */
async function eraseMissing({ background: db, memory }: TelemetryNeeds): Promise<void> {
  const page = (after: string) => listRecordedMemoryIds(db, { after, limit: batchSize })
  for (let ids = await page(''); ids.length > 0; ids = await page(ids.at(-1) ?? '')) {
    const existing = new Set(await memory.filterExisting(ids))
    const missing = ids.filter((id) => !existing.has(id))
    await eraseContents(db, missing)
  }
}
