import { z } from 'zod'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { fenceQuestion, toText } from '../aggregate/evidence.ts'
import { dataNotice } from '../aggregate/model-steps.ts'
import type { RecallNeeds } from '../needs.ts'
import type { Candidate } from '../result.ts'
import type { RecallRequest } from '../schemas.ts'
import type { Stopwatch } from '../stopwatch.ts'
import type { TemporalAnswer } from '../temporal-recall.ts'

type RerankNeeds = Pick<RecallNeeds, 'log' | 'modelConfig' | 'models'>

interface RerankContext {
  readonly request: Pick<RecallRequest, 'aggregate' | 'query' | 'signal'>
  readonly stopwatch: Pick<Stopwatch, 'measure'>
}

const maxTextLength = 400
const operation = 'memory_extraction'
const instruction = `You order texts of a memory store by how well they answer a question. ${dataNotice}
Answer as JSON {"order": [numbers]}, the best text first. Leave out texts that do not help.`
const orderSchema = {
  type: 'object',
  properties: { order: { type: 'array', items: { type: 'integer' } } },
  required: ['order'],
  additionalProperties: false,
}
const reply = z.object({ order: z.array(z.int()) })

/** Lets a model order the best candidates. After a failure the order is unchanged. */
export async function rerank<Answer extends TemporalAnswer>(
  needs: RerankNeeds,
  caller: Pick<Caller, 'agentId'>,
  found: Answer,
  { request, stopwatch }: RerankContext,
): Promise<Answer> {
  const { topN, useExtractionModel } = needs.modelConfig().reranker
  const best = found.candidates.slice(0, topN)
  if (!useExtractionModel || request.aggregate || best.length < 2) return found
  const result = await stopwatch.measure('rerank', () => order(needs, caller, { best, request }))
  if ('order' in result) {
    const rest = found.candidates.slice(best.length)
    return { ...found, candidates: [...reorder(best, result.order), ...rest] }
  }
  const { stages = [], cause = result.failure } = found.degradation ?? {}
  return { ...found, degradation: { stages: [...stages, 'rerank'], cause } }
}

interface OrderRequest {
  readonly best: readonly Candidate[]
  readonly request: RerankContext['request']
}

async function order(
  { log, modelConfig, models }: RerankNeeds,
  { agentId }: Pick<Caller, 'agentId'>,
  { best, request: { query, signal = new AbortController().signal } }: OrderRequest,
): Promise<{ readonly order: readonly number[] } | { readonly failure: string }> {
  if (!models.isReady(operation, agentId)) return { failure: 'no_model' }
  const texts = best.map((candidate, index) => toText(candidate, index + 1, maxTextLength))
  try {
    const { object } = await models.run({
      operation,
      agentId,
      messages: [
        { role: 'system', content: instruction },
        { role: 'user', content: [...texts, fenceQuestion(query)].join('\n') },
      ],
      schema: orderSchema,
      maxTokens: 300,
      timeoutMs: modelConfig().reranker.timeoutMs,
      signal,
    })
    return reply.safeParse(object).data ?? { failure: 'invalid_reply' }
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ err: error }, 'reranking failed')
    return { failure: 'model_failed' }
  }
}

/** The scores keep their places. A text that the model leaves out keeps its own place. */
function reorder(best: readonly Candidate[], order: readonly number[]): Candidate[] {
  const known = [...new Set(order)].filter((number) => number >= 1 && number <= best.length)
  const places = known.toSorted((a, b) => a - b)
  const sources = best.map((_, index) => index + 1)
  for (const [index, place] of places.entries()) sources[place - 1] = known[index] ?? place
  return sources.flatMap((source, index) => {
    const candidate = best[source - 1]
    const score = best[index]?.row.score
    return candidate && score !== undefined ? moveTo(candidate, score) : []
  })
}

function moveTo(candidate: Candidate, score: number): Candidate {
  const { row } = candidate
  if (row.score === score) return candidate
  const { confidence, stages = [] } = row.explain ?? {}
  const stage = { name: 'rerank', score, reason: 'a model placed it here' }
  const explain = { stages: [...stages, stage], ...(confidence && { confidence }) }
  return { ...candidate, row: { ...row, score, ...(row.explain && { explain }) } }
}
