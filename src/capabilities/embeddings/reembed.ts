import {
  type RepairAction,
  RepairFailure,
  type RepairOutcome,
  type RepairStep,
} from '../../kernel/capability/repair.ts'
import { EmbeddingFailure } from './embedder.ts'
import type { BoundEmbedder } from './embedder-registry.ts'
import type { EmbeddableText } from './needs.ts'
import type { Runtime } from './runtime.ts'
import {
  countSources,
  type HasVector,
  hasVectorOf,
  isSettledBy,
  listOldest,
} from './store/vectors.ts'
import { embedEach, saveOutcomes } from './write-vectors.ts'

type ReembedNeeds = Pick<Runtime, 'needs' | 'registry'>

const defaultBatchSize = 50
/** Texts and vectors of one batch. */
const maxBatchBytes = 4 * 1024 * 1024
const bytesPerNumber = 4

/** Embeds memories without a vector of the configured model. */
export function createReembed(runtime: ReembedNeeds): RepairAction {
  return {
    name: 're-embed',
    run: async (step) => {
      const bound = await readTarget(runtime)
      if (!bound) return nothing
      const { batchSize = defaultBatchSize, fullSweep = false } = step.input
      const batch = await selectMissing(runtime, bound, { limit: batchSize })
      const { total } = batch
      if (step.dryRun) {
        const batches = Math.ceil(total / batchSize)
        return { affected: 0, next: null, details: { selected: total, batches } }
      }
      return embedBatch(runtime, step, { ...batch, bound, endsRun: !fullSweep })
    },
    describe: ({ affected, details, dryRun }) => {
      const { selected = 0, batches = 0, remaining = 0 } = details
      if (dryRun) return `Would embed ${selected} memories in ${batches} batches.`
      return `Embedded ${affected} memories; ${remaining} remain.`
    },
  }
}

/** Embeds memories of one agent whose vectors have another model. */
export function createModelMigration(runtime: ReembedNeeds): RepairAction {
  return {
    name: 're-embed-migration',
    run: async (step) => {
      const bound = await readTarget(runtime)
      if (!bound) return { ...nothing, details: noMigration }
      const { agentId, all = false, batchSize = defaultBatchSize } = step.input
      const filter = { agentId, limit: batchSize }
      const batch = all
        ? await selectAny(runtime, bound, filter)
        : await selectMissing(runtime, bound, filter)
      const details = await describeMigration(runtime, bound, { ...filter, ...batch })
      if (step.dryRun) return { affected: 0, next: null, details }
      const outcome = await embedBatch(runtime, step, { ...batch, bound, endsRun: true })
      return { ...outcome, details: { ...details, ...outcome.details } }
    },
    describe: ({ affected, details, dryRun }) => {
      const { selected = 0, estimatedBatches = 0 } = details
      if (dryRun) return `Would embed ${selected} memories in ${estimatedBatches} batches.`
      return `Embedded ${affected} of ${selected} memories with the configured model.`
    },
  }
}

/** Without a configured model no memory needs another one. */
const noMigration = {
  selected: 0,
  selectedThisBatch: 0,
  target: { provider: 'none', model: null, dimensions: null },
  estimatedBatches: 0,
  vectorIndexRebuildRequired: false,
  sources: [],
}

const nothing: RepairOutcome = { affected: 0, next: null, details: { remaining: 0 } }

/** Undefined when embeddings are disabled. @throws {RepairFailure} without a model */
async function readTarget({ registry }: ReembedNeeds): Promise<BoundEmbedder | undefined> {
  if (!registry.configured()) return undefined
  await registry.refresh()
  const failure = registry.failure()
  const { target } = registry.models()
  const bound = registry.writeTargets().find(({ identity }) => identity === target?.identity)
  if (bound) return bound
  throw new RepairFailure(failure?.message ?? 'No embedding model is ready. Try again later.')
}

interface Filter {
  readonly agentId?: string | undefined
  readonly limit: number
}

interface Batch {
  readonly texts: readonly EmbeddableText[]
  /** Memories that match, of which the batch is a part. */
  readonly total: number
}

/** Rejected texts wait for their retry. */
async function selectMissing(
  { needs, registry }: ReembedNeeds,
  { identity }: BoundEmbedder,
  { agentId, limit }: Filter,
): Promise<Batch> {
  const isEmbedded = isSettledBy(identity, needs.host.now().toISOString())
  const memories = needs.memories()
  const total = await memories.countWithout(needs.background, { agentId, hasVector: isEmbedded })
  const page = await memories.listWithout(needs.background, {
    agentId,
    limit,
    hasVector: isEmbedded,
  })
  return { texts: cutToBudget(page, registry.models().target?.dims ?? 0), total }
}

/** The memories whose vectors are the oldest. */
async function selectAny(
  { needs, registry }: ReembedNeeds,
  { identity }: BoundEmbedder,
  { agentId, limit }: Filter,
): Promise<Batch> {
  const ids = await listOldest(needs.background, identity, { agentId, limit })
  const memories = needs.memories()
  const never: HasVector = hasVectorOf('')
  const total = await memories.countWithout(needs.background, { agentId, hasVector: never })
  const texts = await memories.listTexts(needs.background, ids)
  return { texts: cutToBudget(texts, registry.models().target?.dims ?? 0), total }
}

function cutToBudget(texts: readonly EmbeddableText[], dims: number): readonly EmbeddableText[] {
  let bytes = 0
  const fitting = texts.findIndex(({ content }) => {
    bytes += Buffer.byteLength(content) + dims * bytesPerNumber
    return bytes > maxBatchBytes
  })
  // One text above the budget is a batch of its own.
  return fitting < 0 ? texts : texts.slice(0, Math.max(1, fitting))
}

interface Work extends Batch {
  readonly bound: BoundEmbedder
  readonly endsRun: boolean
}

async function embedBatch(
  runtime: ReembedNeeds,
  step: RepairStep,
  { bound, endsRun, texts, total }: Work,
): Promise<RepairOutcome> {
  if (texts.length === 0) return nothing
  const outcomes = await callModel(runtime, step, { bound, texts })
  const { needs, registry } = runtime
  if (registry.models().target?.identity !== bound.identity)
    throw new RepairFailure('The embedding model changed during the repair. Run it again.')
  const vectors = outcomes.filter(({ embedding }) => embedding !== undefined).length
  const saved = await step.save(async (db) => {
    const present = await saveOutcomes({ ...needs, db }, bound.identity, outcomes)
    const affected = Math.min(vectors, present)
    const remaining = Math.max(0, total - texts.length)
    return { affected, next: remaining > 0 ? 'more' : null, endsRun, details: { remaining } }
  })
  if (vectors === 0)
    throw new RepairFailure(
      `The model accepted none of ${texts.length} texts. They are retried later.`,
    )
  return saved
}

/** Calls of other services enter the gate, so that a pause aborts them. */
async function callModel(
  { needs }: ReembedNeeds,
  { signal }: RepairStep,
  { bound, texts }: Pick<Work, 'bound' | 'texts'>,
) {
  const { embedder } = bound
  const entry = embedder.baseUrl === null ? undefined : needs.gate?.enter('repair', signal)
  try {
    return await embedEach(embedder, { texts, signal: entry?.signal ?? signal })
  } catch (error) {
    entry?.signal.throwIfAborted()
    if (error instanceof EmbeddingFailure) throw new RepairFailure(error.message)
    throw error
  } finally {
    entry?.leave()
  }
}

async function describeMigration(
  { needs, registry }: ReembedNeeds,
  { embedder, identity }: BoundEmbedder,
  { agentId, limit, texts, total }: Filter & Batch,
) {
  const { active, target } = registry.models()
  const isLive = needs.memories().isLive
  const sources = await countSources(needs.background, identity, { agentId, isLive })
  const counted = sources.reduce((sum, { count }) => sum + count, 0)
  const unrecorded = { model: null, dimensions: null, count: Math.max(0, total - counted) }
  return {
    selected: total,
    selectedThisBatch: texts.length,
    target: {
      provider: embedder.provider,
      model: embedder.model,
      dimensions: target?.dims ?? null,
    },
    estimatedBatches: Math.ceil(total / limit),
    vectorIndexRebuildRequired: active !== undefined && active.dims !== target?.dims,
    // The rows record the model and its dimensions, and no provider.
    sources: [...sources, ...(unrecorded.count > 0 ? [unrecorded] : [])].map((source) => ({
      provider: 'not-recorded',
      ...source,
    })),
  }
}
