import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { memoryForgotten } from '../memory/index.ts'
import { createBuffer } from './buffer.ts'
import type { TelemetryNeeds } from './needs.ts'
import { deleteEventsBefore, deleteEventsOf } from './store/events.ts'
import { deleteSearchesBefore, deleteSearchesOf, dropContents, listTold } from './store/searches.ts'

const dayMs = 86_400_000
/** Few enough that a write in between hardly waits. */
const atOnce = 200
const gatheredMs = 250

type Gone = { readonly memory: string } | { readonly agent: string }

/** Lets nothing be kept of what has gone elsewhere, nor anything for longer than it may be. */
export function createGone(needs: TelemetryNeeds, heard: { settled(): Promise<unknown> }) {
  const { background: db, host, log, events, config } = needs
  const waiting = createBuffer<Gone>({
    ...{ host, most: 10_000, atOnce: 500, withinMs: gatheredMs },
    write: async (gone) => {
      // What was heard before must be there to be cut.
      await heard.settled()
      const memories = gone.flatMap((one) => ('memory' in one ? one.memory : []))
      await dropContents(db, memories)
      const agents = gone.flatMap((one) => ('agent' in one ? one.agent : []))
      for (const agent of agents) await deleteRowsOf(db, agent)
      if (agents.length > 0) await dropUntold(needs)
    },
    onLost: (count, error) => log.warn({ err: error, count }, 'what is gone stays until the sweep'),
  })
  events.on(memoryForgotten, ({ id }) => waiting.add({ memory: id }))

  const depart = async (db: Db, agentId: string) => {
    await deleteRowsOf(db, agentId)
    afterCommit(db, () => waiting.add({ agent: agentId }))
  }
  return {
    settled: () => waiting.settled(),
    sweep: async () => {
      const keptMs = config().retentionDays * dayMs
      const before = new Date(host.now().getTime() - keptMs).toISOString()
      for (const deleteBefore of [deleteSearchesBefore, deleteEventsBefore])
        while ((await deleteBefore(db, { before, limit: atOnce })) === atOnce);
      await dropUntold(needs)
    },
    /** Nothing here would outlive its agent. */
    agentRemoval: { archive: depart, purge: depart },
  }
}

async function deleteRowsOf(db: Db, agentId: string): Promise<void> {
  await deleteSearchesOf(db, agentId)
  await deleteEventsOf(db, agentId)
}

/** What nobody has told of: memories that went with their agent, or while nobody was here to hear it. */
async function dropUntold({ background: db, memory }: TelemetryNeeds): Promise<void> {
  const page = (after: string) => listTold(db, { after, limit: atOnce })
  for (let ids = await page(''); ids.length > 0; ids = await page(ids.at(-1) ?? '')) {
    const kept = new Set(await memory.filterExisting(ids))
    const gone = ids.filter((id) => !kept.has(id))
    await dropContents(db, gone)
  }
}
