import { Refusal } from '../../kernel/errors/refusal.ts'
import type { PriceTable } from './budgets/price.ts'
import type { Operation, PrivacyTier } from './config/entries.ts'
import { decide } from './decision/decide.ts'
import type { RouteRequest } from './decision/request.ts'
import { RouterError } from './decision/router-error.ts'
import { type BackgroundQueue, createBackgroundQueue } from './run/background-queue.ts'
import { endSentences } from './run/deadline.ts'
import { isGated } from './run/enter.ts'
import { type ExecuteResult, execute } from './run/execute.ts'
import type { Router } from './run/router.ts'
import type { Usage } from './targets/target.ts'
import { noUsage } from './targets/target.ts'

/** Calls of other capabilities. */
export interface Models {
  /**
   * Refuses `inference_disabled`, `inference_unavailable`, `budget_exhausted`, `pipeline_paused` and
   * `queue_full`. Rejects with the reason of the signal. No error repeats a provider's text.
   */
  run(request: ModelRequest): Promise<ModelReply>
  isReady(operation: Operation, agentId: string): boolean
  /**
   * USD for the target that the call would use now: 0 for a local one, null when the price is
   * unknown.
   */
  estimateCost(
    operation: Operation,
    agentId: string,
    tokens: { readonly input: number; readonly output: number },
  ): number | null
}

export interface ModelRequest {
  readonly operation: Operation
  readonly agentId: string
  readonly taskClass?: string
  readonly privacy?: PrivacyTier
  readonly messages: readonly {
    readonly role: 'system' | 'user' | 'assistant'
    readonly content: string
  }[]
  /** A JSON Schema that the reply shall follow. The caller checks the reply. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly maxTokens: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface ModelReply {
  readonly text: string
  /** The parsed reply to a request with a schema. */
  readonly object?: unknown
  readonly usage: Usage
  readonly targetRef: string
}

export function createModels(router: Router, prices: Pick<PriceTable, 'findLoaded'>): Models {
  const queue = createBackgroundQueue()
  const findTarget = (operation: Operation, agentId: string): string | undefined => {
    const config = router.settings.current()
    if (!config.enabled || (isGated(operation) && !router.gate.isOpen())) return undefined
    const state = (ref: string) => router.states.read(config, ref)
    const request = { operation, agentId }
    try {
      return decide({ config, request, state, budgetBlocks: () => [] }).decision.targetRef
    } catch (error) {
      if (error instanceof RouterError) return undefined
      throw error
    }
  }
  return {
    run: (request) => run(router, queue, request),
    isReady: (operation, agentId) => findTarget(operation, agentId) !== undefined,
    estimateCost: (operation, agentId, tokens) => {
      const ref = findTarget(operation, agentId)
      const model = router.settings.current().models.get(ref ?? '')
      const toCost = model && prices.findLoaded(model)
      const { input: inputTokens, output: outputTokens } = tokens
      const usage = { ...noUsage, inputTokens, outputTokens }
      return toCost ? toCost(usage) : null
    },
  }
}

async function run(
  router: Router,
  queue: BackgroundQueue,
  request: ModelRequest,
): Promise<ModelReply> {
  const { signal } = request
  try {
    const result = await queue.run(signal, () => execute(router, toRunRequest(router, request)))
    return toReply(request, result)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error instanceof RouterError ? unavailable(error) : error
  }
}

function toRunRequest(router: Router, request: ModelRequest) {
  const { operation, agentId, taskClass, privacy, messages, schema, maxTokens } = request
  const chars = messages.reduce((sum, { content }) => sum + content.length, 0)
  const route: RouteRequest = {
    operation,
    agentId,
    taskClass,
    privacy,
    expectedInputTokens: Math.ceil(chars / 4),
    expectedOutputTokens: maxTokens,
  }
  const { timeoutMs, signal } = request
  return {
    requestId: router.host.newId(),
    subject: agentId,
    surface: 'native' as const,
    route,
    prompt: {
      messages,
      maxTokens,
      ...(schema && { responseFormat: { type: 'json' as const, schema } }),
    },
    timeoutMs,
    signal,
  }
}

function toReply({ schema }: ModelRequest, result: ExecuteResult): ModelReply {
  const { text, targetRef } = result
  const usage = result.usage ?? noUsage
  return { text, usage, targetRef, ...(schema && { object: parseObject(text) }) }
}

/** Models wrap JSON in a code block. Undefined if the text is no JSON. */
function parseObject(text: string): unknown {
  const json = text.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1')
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Has neither the attempts nor the provider's text. */
function unavailable({ code, message: cause }: RouterError): Refusal {
  const message = 'No model is available for this operation at the moment.'
  const reason = cause === endSentences.timeout ? timeoutReason : code
  return new Refusal('unavailable', 'inference_unavailable', message, { reason })
}

const timeoutReason = 'timeout'

/** Whether a call of `Models` has failed because the model took too long. */
export function isModelTimeout(error: unknown): boolean {
  return error instanceof Refusal && error.details['reason'] === timeoutReason
}
