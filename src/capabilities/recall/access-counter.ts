import type { RecallNeeds } from './needs.ts'

/** Further recalls are not counted while the queue is full. */
const maxQueued = 1000
/** One commit counts all recalls of this period, because each commit invalidates the page caches of readers. */
const flushDelayMs = 250
/** Recalls of up to 50 memories each; their ids fit into one statement. */
const batchSize = 100

interface Access {
  readonly ids: readonly string[]
  readonly at: string
}

export interface AccessCounter {
  /** Returns immediately; the counter runs after the reply. */
  record(access: Access): void
  /** Resolves when all recorded accesses are counted, without further delay. */
  flush(): Promise<void>
}

type CounterNeeds = Pick<RecallNeeds, 'host' | 'log'> & {
  readonly memory: { readonly search: Pick<RecallNeeds['memory']['search'], 'countAccess'> }
}

export function createAccessCounter({ host, memory, log }: CounterNeeds): AccessCounter {
  const queue: Access[] = []
  const flushSignal = new AbortController()
  let running: Promise<void> | undefined

  const count = async () => {
    while (queue.length > 0)
      try {
        for (const { ids, use } of groupByCount(queue.splice(0, batchSize)))
          await memory.search.countAccess(ids, use)
      } catch (error) {
        log.warn({ err: error }, 'access count failed')
      }
    running = undefined
  }

  return {
    record: (access) => {
      if (access.ids.length === 0 || queue.length >= maxQueued) return
      queue.push(access)
      running ??= host.sleep(flushDelayMs, flushSignal.signal).then(count)
    },
    flush: async () => {
      flushSignal.abort()
      await running
    },
  }
}

/** Groups memories by the number of recalls, with the time of the last recall. */
function groupByCount(accesses: readonly Access[]) {
  const countById = new Map<string, number>()
  for (const id of accesses.flatMap(({ ids }) => ids))
    countById.set(id, (countById.get(id) ?? 0) + 1)
  const at = accesses.at(-1)?.at ?? ''
  return [...new Set(countById.values())].map((times) => ({
    ids: [...countById.keys()].filter((id) => countById.get(id) === times),
    use: { at, times },
  }))
}
