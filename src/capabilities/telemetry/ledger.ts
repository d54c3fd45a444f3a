import { promptAnswered } from '../hooks/index.ts'
import { recallAnswered } from '../recall/index.ts'
import { createBuffer } from './buffer.ts'
import type { TelemetryNeeds } from './needs.ts'
import { fromPrompt, fromRecall, type KeptSearch, type Search, toKept } from './search.ts'
import { insertSearches } from './store/searches.ts'

const gatheredMs = 250

export type Ledger = ReturnType<typeof createLedger>

/** Keeps questions to the memory with their answers, for as long as somebody has switched it on. */
export function createLedger(needs: TelemetryNeeds) {
  const { background: db, host, log, events, config } = needs
  const isOn = () => config().memorySearchQaEnabled
  const asked = createBuffer<Search>({
    ...{ host, most: 200, atOnce: 20, withinMs: gatheredMs },
    write: async (searches) => {
      await insertSearches(db, await withoutGone(needs, searches.map(toKept)))
    },
    onLost: (count, error) => log.warn({ err: error, count }, 'questions were not recorded'),
  })

  const note = (search: Omit<Search, 'id' | 'createdAt'>) =>
    asked.add({ ...search, id: host.newId(), createdAt: host.now().toISOString() })
  events.on(recallAnswered, (answered) => {
    if (isOn()) note(fromRecall(answered))
  })
  events.on(promptAnswered, (answered) => {
    if (isOn()) note(fromPrompt(answered))
  })
  return { isOn, settled: () => asked.settled() }
}

/** A memory may have gone while its words were on their way here. */
async function withoutGone(
  { memory }: TelemetryNeeds,
  searches: readonly KeptSearch[],
): Promise<KeptSearch[]> {
  const ids = searches.flatMap(({ results }) => results.flatMap(({ memoryId }) => memoryId ?? []))
  const kept = new Set(await memory.filterExisting([...new Set(ids)]))
  return searches.map((search) => ({
    ...search,
    results: search.results.map((result) =>
      result.memoryId === null || kept.has(result.memoryId) ? result : { ...result, content: null },
    ),
  }))
}
