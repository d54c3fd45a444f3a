import type { Host } from '../../kernel/host/host.ts'
import { createTaskThread } from '../../kernel/threads/task-thread.ts'
import { lookAt } from './files/look-at.ts'
import * as here from './threads/text-worker.ts'

/** Characters that are worked through in some milliseconds; what is longer has a thread. */
const short = 32_768
/** Bytes of a file that are read through without anybody noticing. */
const smallFile = 1_048_576
const restMs = 30_000
const timeoutMs = 60_000
/** Each may be megabytes. */
const waitingAtMost = 32

export type Texts = ReturnType<typeof createTexts>

/** What is done with texts of any length, without holding up the event loop. */
export function createTexts(host: Host) {
  const thread = createTaskThread<typeof here>({
    ...{ host, restMs, waitingAtMost, from: import.meta.url, module: './threads/text-worker' },
  })
  return {
    /** What was said in a harness's own words, cleaned. */
    read: (task: here.ReadTask) =>
      task.text.length > short ? thread.run('read', task, timeoutMs) : here.read(task),
    /** Without anything that looks like a credential. */
    redact: (text: string) =>
      text.length > short ? thread.run('redact', text, timeoutMs) : here.redact(text),
    /** A content without injected blocks. */
    dropInjected: (content: string) =>
      content.length > short
        ? thread.run('dropInjected', content, timeoutMs)
        : here.dropInjected(content),
    /** The same for what is shown; of a long one the whole reply, written. */
    show: async (shown: here.Shown) =>
      shown.content.length > short
        ? thread.run('write', shown, timeoutMs)
        : { ...shown, content: await here.redact(shown.content) },
    /** The lines by which a file comes to hold what a transcript says. */
    plan: async (task: Parameters<typeof here.plan>[0]) => {
      const isLong = task.transcript.content.length > short
      const isRead = task.after === undefined && (await lookAt(task.file)).size > smallFile
      return isLong || isRead ? thread.run('plan', task, timeoutMs) : here.plan(task)
    },
    close: () => thread.close(),
  }
}
