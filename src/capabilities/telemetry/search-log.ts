import { promptAnswered } from '../hooks/index.ts'
import { recallAnswered } from '../recall/index.ts'
import { createBuffer } from './buffer.ts'
import type { TelemetryNeeds } from './needs.ts'
import { fromPrompt, fromRecall, type RecordedSearch, type Search, toRecorded } from './search.ts'
import { insertSearches } from './store/searches.ts'

const flushDelayMs = 250

export type SearchLog = ReturnType<typeof createSearchLog>

/** Records memory queries with their results while the setting is on. */
export function createSearchLog(needs: TelemetryNeeds) {
  const { background: db, host, log, events, config } = needs
  const isOn = () => config().memorySearchQaEnabled
  const searches = createBuffer<Search>({
    host,
    maxQueued: 200,
    batchSize: 20,
    flushDelayMs: flushDelayMs,
    write: async (searches) => {
      await insertSearches(db, await dropErasedContents(needs, searches.map(toRecorded)))
    },
    onLost: (count, error) => log.warn({ err: error, count }, 'search log write failed'),
  })

  const record = (search: Omit<Search, 'id' | 'createdAt'>) =>
    searches.add({ ...search, id: host.newId(), createdAt: host.now().toISOString() })
  events.on(recallAnswered, (answered) => {
    if (isOn()) record(fromRecall(answered))
  })
  events.on(promptAnswered, (answered) => {
    if (isOn()) record(fromPrompt(answered))
  })
  return { isOn, flush: () => searches.flush() }
}

/** A memory may be deleted while its content is in the buffer. */
async function dropErasedContents(
  { memory }: TelemetryNeeds,
  searches: readonly RecordedSearch[],
): Promise<RecordedSearch[]> {
  const ids = searches.flatMap(({ results }) => results.flatMap(({ memoryId }) => memoryId ?? []))
  const existing = new Set(await memory.filterExisting([...new Set(ids)]))
  return searches.map((search) => ({
    ...search,
    results: search.results.map((result) =>
      result.memoryId === null || existing.has(result.memoryId)
        ? result
        : { ...result, content: null },
    ),
  }))
}
