import type { Log } from '../kernel/log/log.ts'

type Close = () => unknown

export interface Shutdown {
  /**
   * What is opened later is closed earlier. What is opened while all is being closed is closed as
   * well, and this throws, so that whoever opens goes no further.
   */
  add(name: string, close: Close): void
  started(): boolean
  /** Once, however often it is asked for; a part that cannot close does not keep the others open. */
  close(): Promise<void>
}

export function createShutdown(log: Log): Shutdown {
  const parts: (readonly [name: string, close: Close])[] = []
  const closeAll = async (): Promise<void> => {
    for (let part = parts.pop(); part; part = parts.pop()) {
      const [name, close] = part
      try {
        await close()
      } catch (error) {
        log.error({ err: error, part: name }, 'could not be closed')
      }
    }
  }
  const closing: { once?: Promise<void> } = {}
  const started = () => closing.once !== undefined
  return {
    add: (name, close) => {
      parts.push([name, close])
      if (started()) throw new Error('The service is stopping.')
    },
    started,
    close: () => {
      closing.once ??= closeAll()
      return closing.once
    },
  }
}
