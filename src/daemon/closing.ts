import type { Log } from '../kernel/log/log.ts'

type Close = () => unknown

export interface Closing {
  /** What is opened later is closed earlier. */
  add(name: string, close: Close): void
  begun(): boolean
  /** Once, however often it is asked for; a part that cannot close does not keep the others open. */
  close(): Promise<void>
}

export function createClosing(log: Log): Closing {
  const parts: (readonly [name: string, close: Close])[] = []
  const closeAll = async (): Promise<void> => {
    for (const [name, close] of parts.toReversed())
      try {
        await close()
      } catch (error) {
        log.error({ err: error, part: name }, 'could not be closed')
      }
  }
  const closing: { once?: Promise<void> } = {}
  return {
    add: (name, close) => {
      parts.push([name, close])
    },
    begun: () => closing.once !== undefined,
    close: () => {
      closing.once ??= closeAll()
      return closing.once
    },
  }
}
