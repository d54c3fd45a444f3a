import type { Caller } from '../../../kernel/auth/caller.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { neutralize } from '../../../kernel/redaction/neutralize.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import { listSourceIds } from '../graph-search.ts'
import type { RecallNeeds } from '../needs.ts'
import type { Aggregate } from '../replies.ts'
import { aggregateSource, type Candidate } from '../result.ts'
import type { RecallRequest } from '../schemas.ts'
import { type Evidence, selectEvidence } from './evidence.ts'
import { type ModelStep, planQueries, type StepContext, synthesize } from './model-steps.ts'
import { aggregateFields, saveAggregate, toKey } from './save-aggregate.ts'
import { sumUsage } from './sum-usage.ts'

/** Queries in total, with that of the caller. */
const maxQueries = { small: 3, medium: 5, large: 8 } as const
/** About 700 tokens. A model may ignore its limit. */
const maxTextLength = 6_000

interface AggregateInput {
  readonly request: RecallRequest
  /** The results of the caller's query. */
  readonly first: readonly Candidate[]
  /** Searches with the filters and the read policy of the caller. */
  readonly search: (query: string) => Promise<readonly Candidate[]>
  readonly signal: AbortSignal
}

interface Aggregated {
  /** The synthesized row, or the evidence. */
  readonly candidates: readonly Candidate[]
  /** The memories that support the answer. */
  readonly evidence: readonly Candidate[]
  readonly aggregate: Aggregate
}

/** Draws the memories that answer a question together in one text, with the help of a model. */
export async function aggregateRecall(
  needs: RecallNeeds,
  caller: Caller,
  input: AggregateInput,
): Promise<Aggregated> {
  const { request, first, signal } = input
  const options = { memoriesOnly: request.saveAggregate }
  const stop = async (reason: Stop) =>
    toUnsynthesized(input, reason, await listSourceIds(needs, caller, first))
  if (!needs.models.isReady('aggregate_recall', caller.agentId))
    return stop({ stoppedReason: stopWith('router_unavailable', first) })
  const context: StepContext = { needs, caller, signal, query: request.query }
  const plan = await searchFurther(context, input)
  const searches = [first, ...plan.searches]
  const evidence = selectEvidence(searches, options)
  const progress = { queries: [request.query, ...plan.queries], steps: plan.steps }
  if (evidence.length === 0) return stop({ ...progress, stoppedReason: 'no_evidence' })
  try {
    const { text, step } = await synthesize(context, evidence)
    const steps = [...plan.steps, step]
    const content = sliceText(neutralize(text).trim(), 0, maxTextLength)
    if (content === '') return stop({ ...progress, steps, stoppedReason: 'synthesis_failed' })
    const draft = { ...progress, steps, content, evidence, isPartial: !plan.isComplete }
    return await toSynthesized(needs, caller, { request, draft })
  } catch (error) {
    signal.throwIfAborted()
    return stop({ ...progress, stoppedReason: reasonOf(error) })
  }
}

/** Refusals before any model has received the prompt. */
const unavailable = ['inference_disabled', 'budget_exhausted', 'pipeline_paused', 'queue_full']

function reasonOf(error: unknown): string {
  if (!(error instanceof Refusal)) throw error
  return unavailable.includes(error.code) ? 'router_unavailable' : 'synthesis_failed'
}

/** Further searches that a model names. Without a plan, the first results are the evidence. */
async function searchFurther(context: StepContext, { request, first, search }: AggregateInput) {
  const budget = maxQueries[request.aggregateBudget] - 1
  const evidence = selectEvidence([first], { memoriesOnly: false })
  try {
    const { queries, step } = await planQueries(context, evidence, budget)
    const searches: (readonly Candidate[])[] = []
    for (const query of queries) {
      context.signal.throwIfAborted()
      searches.push(await search(query))
    }
    return { isComplete: true, queries, searches, steps: [step] }
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof Refusal)) throw error
    return { isComplete: false, queries: [], searches: [], steps: [] }
  }
}

interface Progress {
  readonly queries: readonly string[]
  readonly steps: readonly ModelStep[]
}

interface Stop extends Partial<Progress> {
  readonly stoppedReason: string
}

function stopWith(reason: string, evidence: readonly Candidate[]): string {
  return evidence.length === 0 ? 'no_evidence' : reason
}

/** The evidence of the caller's query stands for itself, and nothing is saved. */
function toUnsynthesized(
  { request, first }: AggregateInput,
  { queries = [request.query], steps = [], stoppedReason }: Stop,
  sourceMemoryIds: readonly string[],
): Aggregated {
  const aggregate = {
    savedMemoryId: null,
    saved: false,
    deduped: false,
    budget: request.aggregateBudget,
    queries,
    sourceMemoryIds,
    stoppedReason,
    partial: true,
    usage: sumUsage(steps),
  }
  return { candidates: first, evidence: first, aggregate }
}

interface Draft extends Progress {
  readonly content: string
  readonly evidence: readonly Evidence[]
  /** The model named no further searches. */
  readonly isPartial: boolean
}

async function toSynthesized(
  needs: RecallNeeds,
  caller: Caller,
  { request, draft }: { readonly request: RecallRequest; readonly draft: Draft },
): Promise<Aggregated> {
  const { evidence, content: text, queries, steps, isPartial } = draft
  const candidates = evidence.map(({ candidate }) => candidate)
  const sourceIds = await listSourceIds(needs, caller, candidates)
  const key = toKey(caller, request, sourceIds)
  const saved = request.saveAggregate
    ? await saveAggregate(needs, caller, { request, key, text, evidence, sourceIds })
    : undefined
  const content = saved?.content ?? text
  const row = {
    id: saved?.id ?? `${key}:unsaved`,
    content,
    content_length: content.length,
    truncated: false,
    score: 1,
    source: aggregateSource,
    ...aggregateFields,
    tags: aggregateFields.tags.join(','),
    pinned: false,
    project: request.project ?? caller.scope.project ?? null,
    created_at: needs.host.now().toISOString(),
  }
  const aggregate = {
    savedMemoryId: saved?.id ?? null,
    saved: saved !== undefined && !saved.deduped,
    deduped: saved?.deduped ?? false,
    budget: request.aggregateBudget,
    queries,
    sourceMemoryIds: sourceIds,
    stoppedReason: 'complete',
    ...(isPartial && { partial: true }),
    usage: sumUsage(steps),
  }
  return { candidates: [{ row, memory: undefined }], evidence: candidates, aggregate }
}
