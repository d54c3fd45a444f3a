import type { Log } from '../kernel/log/log.ts'

type Close = () => unknown

export interface Shutdown {
  /**
   * Parts close in reverse order. A part added during shutdown is closed too, and `add` throws,
   * so that start-up ends.
   */
  add(name: string, close: Close): void
  started(): boolean
  /** Closes every part once. A part that fails to close does not stop the others. */
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
        log.error({ err: error, part: name }, 'close failed')
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
