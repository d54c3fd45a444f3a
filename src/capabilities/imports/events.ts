import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { isOfOwnAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import type { ImportJob, JobState } from './import-job.ts'
import type { ImportsNeeds } from './needs.ts'

/** The state of an import changed. Contains no text of a conversation. */
const importChanged = defineEvent<{
  readonly jobId: string
  readonly agentId: string
  readonly state: JobState
}>('import.changed', {
  stream: {
    toPublic: ({ agentId, jobId, state }) => ({ agentId, id: jobId, state }),
    isVisible: isOfOwnAgent,
  },
})

/** Emits the new state after the commit. */
export function emitChanged(
  { events }: Pick<ImportsNeeds, 'events'>,
  db: Db,
  { id: jobId, agentId, state }: Pick<ImportJob, 'id' | 'agentId' | 'state'>,
): void {
  afterCommit(db, () => events.emit(importChanged, { jobId, agentId, state }))
}
