import { defineEvent } from '../../kernel/events/events.ts'

interface PipelineChange {
  /** Who has changed it. */
  readonly actor: string
  readonly mode: string
}

export const pipelinePaused = defineEvent<PipelineChange>('pipeline.paused')
export const pipelineResumed = defineEvent<PipelineChange>('pipeline.resumed')
