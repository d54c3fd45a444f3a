import { isOfOwnAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import type { JobStatus } from './runs/job.ts'

/** The state of an index run changed. */
export const sourceRunChanged = defineEvent<{
  readonly agentId: string
  readonly sourceId: string
  readonly jobId: string
  readonly status: JobStatus
}>('source.run_changed', {
  stream: {
    toPublic: ({ agentId, jobId, sourceId, status }) => ({ agentId, id: jobId, sourceId, status }),
    isVisible: isOfOwnAgent,
  },
})
