import { isForAdmin } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'

interface PipelineChange {
  /** Who has changed it. */
  readonly actor: string
  readonly mode: string
}

const stream = {
  toPublic: ({ actor, mode }: PipelineChange) => ({ actor, mode }),
  isVisible: isForAdmin,
}

export const pipelinePaused = defineEvent<PipelineChange>('pipeline.paused', { stream })
export const pipelineResumed = defineEvent<PipelineChange>('pipeline.resumed', { stream })
