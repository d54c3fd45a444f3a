import type { Host } from '../../kernel/host/host.ts'
import { createTaskThread } from '../../kernel/threads/task-thread.ts'
import type { RulesThread } from './rules-port.ts'
import type * as worker from './threads/rules-worker.ts'

const restMs = 30_000
const timeoutMs = 30_000

/** The rules in a thread of their own, which exists only while a pass runs. */
export function createRulesThread(host: Host): RulesThread {
  const thread = createTaskThread<typeof worker>({
    host,
    idleTimeoutMs: restMs,
    from: import.meta.url,
    module: './threads/rules-worker',
  })
  return {
    readStatements: (task) => thread.run('readStatements', task, timeoutMs),
    decideOperations: (task) => thread.run('decideOperations', task, timeoutMs),
    findNearDuplicates: (sources) => thread.run('findNearDuplicates', { sources }, timeoutMs),
    readQuotes: (quotes) => thread.run('readQuotes', { quotes }, timeoutMs),
    chooseMentions: (task) => thread.run('chooseMentions', task, timeoutMs),
    close: () => thread.close(),
  }
}
