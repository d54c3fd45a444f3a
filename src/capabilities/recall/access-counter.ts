import type { RecallNeeds } from './needs.ts'

/** Counting is an aid: when this many recalls wait to be counted, further ones are not. */
const mostWaiting = 1000
/** After a commit a connection that reads has none of the file at hand: recalls share one. */
const gatheredMs = 250
/** Of 50 memories each: a statement has room for all of them. */
const countedAtOnce = 100

interface Access {
  readonly ids: readonly string[]
  readonly at: string
}

export interface AccessCounter {
  /** Returns at once; the counting comes after the answer. */
  note(access: Access): void
  /** When all that was noted is counted, which from then on waits for no more. */
  settled(): Promise<void>
}

type CounterNeeds = Pick<RecallNeeds, 'host' | 'log'> & {
  readonly memory: { readonly search: Pick<RecallNeeds['memory']['search'], 'countAccess'> }
}

export function createAccessCounter({ host, memory, log }: CounterNeeds): AccessCounter {
  const waiting: Access[] = []
  const hurry = new AbortController()
  let running: Promise<void> | undefined

  const count = async () => {
    while (waiting.length > 0)
      try {
        for (const { ids, use } of addUp(waiting.splice(0, countedAtOnce)))
          await memory.search.countAccess(ids, use)
      } catch (error) {
        log.warn({ err: error }, 'recalls were not counted')
      }
    running = undefined
  }

  return {
    note: (access) => {
      if (access.ids.length === 0 || waiting.length >= mostWaiting) return
      waiting.push(access)
      running ??= host.sleep(gatheredMs, hurry.signal).then(count)
    },
    settled: async () => {
      hurry.abort()
      await running
    },
  }
}

/** Which memories were recalled once, which twice and so on, and when the last of them was. */
function addUp(accesses: readonly Access[]) {
  const timesOf = new Map<string, number>()
  for (const id of accesses.flatMap(({ ids }) => ids)) timesOf.set(id, (timesOf.get(id) ?? 0) + 1)
  const at = accesses.at(-1)?.at ?? ''
  return [...new Set(timesOf.values())].map((times) => ({
    ids: [...timesOf.keys()].filter((id) => timesOf.get(id) === times),
    use: { at, times },
  }))
}
