import { createStream, type RotatingFileStream } from 'rotating-file-stream'

export interface LogFile {
  write(line: string): void
  /** Resolves when all lines are on disk. */
  close(): Promise<void>
}

interface LogFileNeeds {
  now(): Date
  /** Called for the first failure only. */
  onFault(error: Error): void
}

interface Place {
  readonly folder: string
  readonly name: string
}

const retryMs = 60_000
const rotated = 5

/** The file and the older ones that rotation leaves. */
export function listLogFiles(file: string): readonly string[] {
  return [file, ...Array.from({ length: rotated }, (_, index) => `${file}.${index + 1}`)]
}

/**
 * Rotates at 10 MB and keeps five older files. A file that cannot be written, as on a full disk, is
 * reopened after a minute; lines in between are lost.
 */
export function openLogFile({ folder, name }: Place, { now, onFault }: LogFileNeeds): LogFile {
  const state: { file: RotatingFileStream; failedAt?: number; faults: number } = {
    file: open(),
    faults: 0,
  }
  function open(): RotatingFileStream {
    const options = { path: folder, size: '10M', rotate: rotated, mode: 0o600 } as const
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
