import { defineEvent } from './events.ts'

/** The stages of the pipeline with the codes of their failures. */
export const pipelineStages = {
  extraction: ['EXTRACTION_TIMEOUT', 'EXTRACTION_PARSE_FAIL'],
  decision: ['DECISION_TIMEOUT', 'DECISION_INVALID'],
  embedding: ['EMBEDDING_PROVIDER_DOWN', 'EMBEDDING_TIMEOUT'],
  mutation: ['MUTATION_CONFLICT', 'MUTATION_SCOPE_DENIED'],
  connector: ['CONNECTOR_SYNC_FAIL', 'CONNECTOR_AUTH_FAIL'],
} as const

export type PipelineStage = keyof typeof pipelineStages
export type PipelineCode = (typeof pipelineStages)[PipelineStage][number]

const stages = Object.keys(pipelineStages) as PipelineStage[]

export function findStage(code: PipelineCode): PipelineStage {
  const failedStage = stages.find((stage) => pipelineStages[stage].some((each) => each === code))
  if (!failedStage) throw new Error(`No stage has the code ${code}.`)
  return failedStage
}

/** A step of the pipeline has failed. Contains no text of the failure. */
export const pipelineFailed = defineEvent<{
  readonly code: PipelineCode
  /** Null for a failure of the whole service. */
  readonly agentId: string | null
  readonly requestId?: string
  readonly memoryId?: string
  readonly actor?: string
}>('pipeline.failed')
