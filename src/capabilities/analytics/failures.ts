import type { Caller } from '../../kernel/auth/caller.ts'
import type { PayloadOf } from '../../kernel/events/events.ts'
import {
  findStage,
  type PipelineCode,
  type PipelineStage,
  type pipelineFailed,
} from '../../kernel/events/pipeline-failure.ts'
import type { Host } from '../../kernel/host/host.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'

const maxFailures = 500
const maxNameLength = 128

type Failure = PayloadOf<typeof pipelineFailed>

/** One sentence for each code; never the text of an error. */
const sentences: Record<PipelineCode, string> = {
  EXTRACTION_TIMEOUT: 'The model took too long to extract facts.',
  EXTRACTION_PARSE_FAIL: 'The facts that the model returned could not be read.',
  DECISION_TIMEOUT: 'The model took too long to decide.',
  DECISION_INVALID: 'The decision of the model could not be used.',
  EMBEDDING_PROVIDER_DOWN: 'The embedding provider did not return a vector.',
  EMBEDDING_TIMEOUT: 'The embedding provider took too long.',
  MUTATION_CONFLICT: 'The memory has changed since it was read.',
  MUTATION_SCOPE_DENIED: 'The caller may not change this memory.',
  CONNECTOR_SYNC_FAIL: 'The sync of a connector failed.',
  CONNECTOR_AUTH_FAIL: 'A connector may not read its folder.',
}

interface FailureFilter {
  readonly scope: Caller['scope']
  readonly stage?: PipelineStage | undefined
  readonly since?: string | undefined
  readonly limit: number
}

/** The last failures of the pipeline. */
export function createFailures(host: Pick<Host, 'now'>) {
  const failures: (Failure & { readonly at: string })[] = []
  return {
    add: (failure: Failure): void => {
      failures.push({ ...failure, at: host.now().toISOString() })
      if (failures.length > maxFailures) failures.shift()
    },
    /** Newest first, with the totals of all that match. */
    read: ({ scope, stage, since = '', limit }: FailureFilter) => {
      const matching = failures.filter(
        ({ agentId, at, code }) =>
          scope.project === undefined &&
          (scope.agent === undefined || scope.agent === agentId) &&
          (stage === undefined || findStage(code) === stage) &&
          at >= since,
      )
      const stages = Map.groupBy(matching, ({ code }) => findStage(code))
      const byStage = Object.fromEntries([...stages].map(([name, of]) => [name, of.length]))
      return {
        errors: matching.toReversed().slice(0, limit).map(toEntry),
        summary: { total: matching.length, byStage },
      }
    },
  }
}

function toEntry({ at, code, requestId, memoryId, actor }: Failure & { readonly at: string }) {
  return {
    at,
    timestamp: at,
    stage: findStage(code),
    code,
    message: sentences[code],
    ...(requestId !== undefined && { requestId }),
    ...(memoryId !== undefined && { memoryId }),
    ...(actor !== undefined && { actor: toCleanText(actor).slice(0, maxNameLength) }),
  }
}
