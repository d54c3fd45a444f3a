import { isOfOwnAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import type { Run } from './task.ts'

interface RunEvent extends Pick<Run, 'id' | 'taskId' | 'status'> {
  readonly agentId: string
  readonly harness: string
}

const stream = {
  toPublic: ({ agentId, harness, id, status, taskId }: RunEvent) => ({
    agentId,
    harness,
    id,
    taskId,
    status,
  }),
  isVisible: isOfOwnAgent,
}

export const taskRunStarted = defineEvent<RunEvent>('task.run_started', { stream })
export const taskRunCompleted = defineEvent<RunEvent>('task.run_completed', { stream })
