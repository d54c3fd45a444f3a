import type { Host } from '../../kernel/host/host.ts'
import { createTaskThread } from '../../kernel/threads/task-thread.ts'
import { statFile } from './files/transcript-file.ts'
import * as worker from './threads/text-worker.ts'

/** Longer texts are processed in the thread. */
const inlineThreshold = 32_768
/** Larger files are read in the thread. */
const smallFileBytes = 1_048_576
const restMs = 30_000
const timeoutMs = 60_000
/** Each may be megabytes. */
const maxWaiting = 32

export type Texts = ReturnType<typeof createTexts>

/** Text operations that do not block the event loop. */
export function createTexts(host: Host) {
  const thread = createTaskThread<typeof worker>({
    host,
    idleTimeoutMs: restMs,
    maxWaiting,
    from: import.meta.url,
    module: './threads/text-worker',
  })
  return {
    /** Parses and cleans a transcript. */
    read: (task: worker.ReadTask) =>
      task.text.length > inlineThreshold ? thread.run('read', task, timeoutMs) : worker.read(task),
    /** As `read`, with one message for all. */
    readAll: (tasks: readonly worker.ReadTask[]) =>
      tasks.reduce((sum, { text }) => sum + text.length, 0) > inlineThreshold
        ? thread.run('readAll', tasks, timeoutMs)
        : worker.readAll(tasks),
    /** Redacts credentials. */
    redact: (text: string) =>
      text.length > inlineThreshold ? thread.run('redact', text, timeoutMs) : worker.redact(text),
    /** A content without injected blocks. */
    dropInjected: (content: string) =>
      content.length > inlineThreshold
        ? thread.run('dropInjected', content, timeoutMs)
        : worker.dropInjected(content),
    /** Redacts a reply; a long one is returned serialized. */
    show: async (reply: worker.TranscriptReply) =>
      reply.content.length > inlineThreshold
        ? thread.run('write', reply, timeoutMs)
        : { ...reply, content: await worker.redact(reply.content) },
    /** Plans the write that brings a file up to date. */
    plan: async (task: Parameters<typeof worker.plan>[0]) => {
      const isLong = task.transcript.content.length > inlineThreshold
      const isRead = task.after === undefined && (await statFile(task.file)).size > smallFileBytes
      return isLong || isRead ? thread.run('plan', task, timeoutMs) : worker.plan(task)
    },
    close: () => thread.close(),
  }
}
