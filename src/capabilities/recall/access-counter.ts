import type { Log } from '../../kernel/log/log.ts'
import type { RecallNeeds } from './needs.ts'

/** Counting is an aid: when this many recalls wait to be counted, further ones are not. */
const mostWaiting = 1000

interface Access {
  readonly ids: readonly string[]
  readonly at: string
}

export interface AccessCounter {
  /** Returns at once; the counting comes after the answer. */
  note(access: Access): void
  /** When all that was noted is counted. */
  settled(): Promise<void>
}

/** Whoever was told goes first. */
const afterAnswer = () => new Promise<void>((resolve) => setImmediate(resolve))

export function createAccessCounter(
  search: Pick<RecallNeeds['memory']['search'], 'countAccess'>,
  log: Log,
): AccessCounter {
  const waiting: Access[] = []
  let running: Promise<void> | undefined

  const count = async () => {
    for (let access = waiting.shift(); access; access = waiting.shift())
      try {
        await search.countAccess(access.ids, access.at)
      } catch (error) {
        log.warn({ err: error }, 'a recall was not counted')
      }
    running = undefined
  }

  return {
    note: (access) => {
      if (access.ids.length === 0 || waiting.length >= mostWaiting) return
      waiting.push(access)
      running ??= afterAnswer().then(count)
    },
    settled: async () => running,
  }
}
