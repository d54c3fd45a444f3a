import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { createBuffer } from './buffer.ts'
import type { TelemetryNeeds } from './needs.ts'
import { fromPrompt, fromRecall, type Search, toKept } from './search.ts'
import {
  deleteSearchesBefore,
  deleteSearchesOf,
  dropContents,
  insertSearches,
  listTold,
} from './store/searches.ts'

const dayMs = 86_400_000
/** Few enough that a write in between hardly waits. */
const atOnce = 200
const gatheredMs = 250

/** What has gone, whose words must go from here as well. */
type Gone = { readonly memory: string } | { readonly agent: string }

export type Ledger = ReturnType<typeof createLedger>

/** Keeps questions to the memory with their answers, for as long as somebody has switched it on. */
export function createLedger(needs: TelemetryNeeds) {
  const { background: db, host, log, events, config, hygiene } = needs
  const isOn = () => config().memorySearchQaEnabled

  const asked = createBuffer<Search>({
    ...{ host, most: 200, atOnce: 20, withinMs: gatheredMs },
    write: async (searches) =>
      insertSearches(
        db,
        await withoutGone(
          needs,
          searches.map((search) => toKept(search, hygiene())),
        ),
      ),
    onLost: (count, error) => log.warn({ err: error, count }, 'questions were not recorded'),
  })
  const gone = createBuffer<Gone>({
    ...{ host, most: 10_000, atOnce: 500, withinMs: gatheredMs },
    write: async (left) => {
      // What was answered before must be there to be cut.
      await asked.settled()
      await dropContents(
        db,
        left.flatMap((one) => ('memory' in one ? one.memory : [])),
      )
      const agents = left.flatMap((one) => ('agent' in one ? one.agent : []))
      for (const agent of agents) await deleteSearchesOf(db, agent)
      if (agents.length > 0) await dropGone(needs)
    },
    onLost: (count, error) => log.warn({ err: error, count }, 'what is gone stays until the sweep'),
  })

  const note = (search: Omit<Search, 'id' | 'createdAt'>) =>
    asked.add({ ...search, id: host.newId(), createdAt: host.now().toISOString() })
  events.on('recall.answered', (answered) => {
    if (isOn()) note(fromRecall(answered))
  })
  events.on('prompt.answered', (answered) => {
    if (isOn()) note(fromPrompt(answered))
  })
  events.on('memory.forgotten', ({ id }) => gone.add({ memory: id }))

  const depart = async (db: Db, agentId: string) => {
    await deleteSearchesOf(db, agentId)
    afterCommit(db, () => gone.add({ agent: agentId }))
  }
  return {
    isOn,
    /** When all that was heard is kept, and all that is gone is cut. */
    settled: async () => {
      await asked.settled()
      await gone.settled()
    },
    sweep: async () => {
      const keptMs = config().retentionDays * dayMs
      const before = new Date(host.now().getTime() - keptMs).toISOString()
      while ((await deleteSearchesBefore(db, { before, limit: atOnce })) === atOnce);
      await dropGone(needs)
    },
    /** Questions say nothing that would outlive their agent. */
    agentDeparture: { archive: depart, purge: depart },
  }
}

/** A memory may have gone while its words were on their way here. */
async function withoutGone(
  { memory }: TelemetryNeeds,
  searches: readonly Search[],
): Promise<Search[]> {
  const ids = searches.flatMap(({ results }) => results.flatMap(({ memoryId }) => memoryId ?? []))
  const kept = new Set(await memory.listKept([...new Set(ids)]))
  return searches.map((search) => ({
    ...search,
    results: search.results.map((result) =>
      result.memoryId === null || kept.has(result.memoryId) ? result : { ...result, content: null },
    ),
  }))
}

/** What nobody has told of: memories that went with their agent, or while this was not there to hear it. */
async function dropGone({ background: db, memory }: TelemetryNeeds): Promise<void> {
  const page = (after: string) => listTold(db, { after, limit: atOnce })
  for (let ids = await page(''); ids.length > 0; ids = await page(ids.at(-1) ?? '')) {
    const kept = new Set(await memory.listKept(ids))
    await dropContents(
      db,
      ids.filter((id) => !kept.has(id)),
    )
  }
}
