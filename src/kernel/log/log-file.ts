import { createStream, type RotatingFileStream } from 'rotating-file-stream'

export interface LogFile {
  write(line: string): void
  /** Fulfilled when all is on the disk. */
  close(): Promise<void>
}

interface LogFileNeeds {
  now(): Date
  /** Told of the first failure alone. */
  onFault(error: Error): void
}

interface Place {
  readonly folder: string
  readonly name: string
}

const retryMs = 60_000

/**
 * At most 10 MB, five older ones beside it. A file that cannot be written, as on a full disk, is opened
 * again after a minute; what is written until then is lost.
 */
export function openLogFile({ folder, name }: Place, { now, onFault }: LogFileNeeds): LogFile {
  const state: { file: RotatingFileStream; failedAt?: number; faults: number } = {
    file: open(),
    faults: 0,
  }
  function open(): RotatingFileStream {
    const options = { path: folder, size: '10M', rotate: 5, mode: 0o600 } as const
    return createStream(name, options).on('error', (error) => {
      state.failedAt = now().getTime()
      state.faults += 1
      if (state.faults === 1) onFault(error)
    })
  }
  return {
    write: (line) => {
      if (state.failedAt !== undefined) {
        if (now().getTime() - state.failedAt < retryMs) return
        delete state.failedAt
        state.file = open()
      }
      state.file.write(line)
    },
    close: async () => {
      const { file } = state
      if (file.destroyed) return
      const { promise, resolve } = Promise.withResolvers<void>()
      file.end(resolve)
      await promise
    },
  }
}
