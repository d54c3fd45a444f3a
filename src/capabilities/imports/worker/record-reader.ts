import type { Host } from '../../../kernel/host/host.ts'
import { createTaskThread } from '../../../kernel/threads/task-thread.ts'
import * as worker from '../threads/record-worker.ts'

/** More bytes are parsed in the thread. */
const inlineThreshold = 32_768
const idleTimeoutMs = 30_000
const timeoutMs = 120_000

export type RecordReader = ReturnType<typeof createRecordReader>

/** Parses lines without blocking the event loop. */
export function createRecordReader(host: Host) {
  const thread = createTaskThread<typeof worker>({
    host,
    idleTimeoutMs,
    from: import.meta.url,
    module: '../threads/record-worker',
  })
  return {
    read: (lines: readonly Uint8Array[]) => {
      const size = lines.reduce((sum, { length }) => sum + length, 0)
      return size > inlineThreshold
        ? thread.run('readRecords', lines, timeoutMs)
        : worker.readRecords(lines)
    },
    close: () => thread.close(),
  }
}
