import type { Host } from '../../../kernel/host/host.ts'
import { createTaskThread } from '../../../kernel/threads/task-thread.ts'
import * as worker from './threads/extract-worker.ts'

/** Longer texts are read in the thread. */
const inlineThreshold = 16_384
const idleTimeoutMs = 30_000
const timeoutMs = 30_000
const maxWaiting = 16

export type TextReader = ReturnType<typeof createTextReader>

/** Reads statements without blocking the event loop. */
export function createTextReader(host: Host) {
  const thread = createTaskThread<typeof worker>({
    host,
    idleTimeoutMs,
    maxWaiting,
    from: import.meta.url,
    module: './threads/extract-worker',
  })
  return {
    /** Phrases that may name an entity of the graph. */
    listCandidates: (text: string) =>
      text.length > inlineThreshold
        ? thread.run('listCandidates', text, timeoutMs)
        : worker.listCandidates(text),
    draft: (task: worker.DraftTask) =>
      task.text.length > inlineThreshold
        ? thread.run('draft', task, timeoutMs)
        : worker.draft(task),
    close: () => thread.close(),
  }
}
