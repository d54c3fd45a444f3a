import type { Caller } from '../../kernel/auth/caller.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { EmbeddingFailure, probe } from './embedder.ts'
import { type Models, readModels } from './models.ts'
import type { Coverage } from './needs.ts'
import type { Runtime } from './runtime.ts'
import type { Check, HealthReply, Progress, ProviderStatus } from './schemas.ts'
import { countOrphans, hasVectorOf, isPendingFrom, isProcessedBy } from './store/vectors.ts'

const weights: Readonly<Record<string, number>> = {
  'provider-available': 0.3,
  coverage: 0.25,
  'dimension-mismatch': 0.15,
  'model-drift': 0.1,
  'null-vectors': 0.08,
  'vec-table-sync': 0.07,
  'orphaned-embeddings': 0.05,
}
const statusScores = { ok: 1, warn: 0.5, fail: 0 } as const

export async function readHealth(
  { needs, registry }: Pick<Runtime, 'needs' | 'registry'>,
  caller: Caller,
  provider: ProviderStatus,
): Promise<HealthReply> {
  const expected = readExpected({ needs, registry })
  const models = await readModels(needs.background, registry.models().target?.identity)
  const { active, target } = models
  const { identity = '', seenRevision: upTo = 0 } = active ?? {}
  const memories = needs.memories()
  const isProcessed = isProcessedBy(identity)
  const next = target && target.identity !== identity ? target.identity : undefined
  const [coverage, processed, pendingCoverage, orphans, missing] = await Promise.all([
    memories.countReadable(caller, { allScopes: true, hasVector: hasVectorOf(identity) }),
    memories.countReadable(caller, { allScopes: true, hasVector: isProcessed }),
    next === undefined
      ? undefined
      : memories.countReadable(caller, {
          allScopes: true,
          hasVector: isPendingFrom(identity, next),
        }),
    countOrphans(needs.background, memories.isStored),
    memories.countUnprocessed(needs.background, { upTo, isProcessed }),
  ])
  // Memories with a vector of the active model and none of the configured model.
  const { embedded: pending } = pendingCoverage ?? coverage
  const driftCheck = checkDrift(models, expected, pending)
  const dimensionCheck = checkDimensions(active?.dims, expected.dimensions, pending)
  const checks: Check[] = [
    checkProvider(provider),
    checkCoverage(coverage, processed),
    dimensionCheck.check,
    driftCheck.check,
    { name: 'null-vectors', status: 'ok', message: 'the table rejects null vectors' },
    checkSync(missing),
    checkOrphans(orphans),
  ]
  const score = checks.reduce(
    (sum, { name, status }) => sum + (weights[name] ?? 0) * statusScores[status],
    0,
  )
  const rounded = Math.round(score * 100) / 100
  // Both checks nearly always find the same memories, so no memory counts twice.
  const stale = Math.max(driftCheck.stale, dimensionCheck.stale)
  const dimensions = expected.dimensions ?? provider.dimensions ?? target?.dims ?? null
  const { total, embedded } = coverage
  return {
    status: toStatus(rounded),
    score: rounded,
    checkedAt: provider.checkedAt,
    coverage: total === 0 ? 100 : Math.round((embedded / total) * 1000) / 10,
    staleCount: stale,
    provider: { name: provider.provider, available: provider.available },
    config: { provider: provider.provider, model: provider.model, dimensions },
    checks,
  }
}

interface ExpectedModel {
  /** Undefined if embeddings are disabled. */
  readonly model: string | undefined
  readonly dimensions: number | undefined
}

/** `dimensions` does not apply to the bundled model. */
function readExpected({ needs, registry }: Pick<Runtime, 'needs' | 'registry'>): ExpectedModel {
  const { provider, model } = registry.configured() ?? {}
  const isBundled = provider === undefined || provider === 'static'
  return { model, dimensions: isBundled ? undefined : needs.config().dimensions }
}

function toStatus(score: number): HealthReply['status'] {
  if (score >= 0.8) return 'healthy'
  return score >= 0.5 ? 'degraded' : 'unhealthy'
}

function checkProvider({ available, provider, error }: ProviderStatus): Check {
  const name = 'provider-available'
  if (available) return { name, status: 'ok', message: `${provider} answers` }
  const fix = 'check the `embedding` settings and that the provider runs'
  return { name, status: 'fail', message: error ?? `${provider} does not answer`, fix }
}

/** `processed` counts rejected texts as embedded: a backfill does not help them. */
function checkCoverage({ total, embedded }: Coverage, processed: Coverage): Check {
  const share = total === 0 ? 1 : embedded / total
  const detail = { total, embedded, unembedded: total - embedded, coverage: share }
  const message = `${embedded} of ${total} have a vector`
  if (share >= 0.95) return { name: 'coverage', status: 'ok', message, detail }
  const fix =
    processed.embedded < processed.total
      ? 'reverie embed backfill'
      : 'set `embedding.provider` to a model that accepts the remaining texts'
  return { name: 'coverage', status: share >= 0.8 ? 'warn' : 'fail', message, detail, fix }
}

interface CheckResult {
  readonly check: Check
  readonly stale: number
}

function checkDimensions(
  stored: number | undefined,
  expected: number | undefined,
  stale: number,
): CheckResult {
  const name = 'dimension-mismatch'
  if (stored === undefined || expected === undefined || stored === expected)
    return {
      check: { name, status: 'ok', message: 'all vectors have the configured length' },
      stale: 0,
    }
  const message = `${stale} vectors have ${stored} dimensions, ${expected} are configured`
  return { check: { name, status: 'fail', message, detail: { mismatched: stale } }, stale }
}

function checkDrift(
  { active, target }: Models,
  { model }: ExpectedModel,
  pending: number,
): CheckResult {
  const name = 'model-drift'
  const isBuilt = target !== undefined && target.identity !== active?.identity
  const isUnknown = target === undefined && model !== undefined
  if (!active || (!isBuilt && !(isUnknown && active.model !== model))) {
    const message =
      model === undefined ? 'no model is configured' : 'all vectors are of the configured model'
    return { check: { name, status: 'ok', message }, stale: 0 }
  }
  const message = isBuilt
    ? `${target.identity} is being built`
    : `${model} is configured and does not answer; ${active.identity} is active`
  return { check: { name, status: 'warn', message, detail: { stale: pending } }, stale: pending }
}

/** Pending and rejected memories do not count as missing. */
function checkSync(missing: number): Check {
  const name = 'vec-table-sync'
  if (missing === 0) return { name, status: 'ok', message: 'every processed memory has a vector' }
  const message = `${missing} processed memories have no vector`
  return { name, status: 'warn', message, detail: { missing }, fix: 'reverie embed backfill' }
}

function checkOrphans(orphans: number): Check {
  const name = 'orphaned-embeddings'
  if (orphans === 0) return { name, status: 'ok', message: 'none' }
  const message = `${orphans} vectors of purged memories`
  return { name, status: 'warn', message, detail: { orphans }, fix: 'reverie embed backfill' }
}

interface HealthNeeds {
  readonly status: () => Promise<ProviderStatus>
  readonly progress: () => Promise<Progress>
}

/** Below this share of embedded memories the score falls by `penalty`. */
const minEmbeddedShare = 0.8
const penalty = 0.3

/** Reports the provider status and the coverage. */
export function embeddingsHealth({ status, progress }: HealthNeeds): HealthCheck {
  return {
    name: 'embedding',
    check: async () => {
      const { provider, model, available, error } = await status()
      const { active, building, total, embedded, refused } = await progress()
      const usage = { total, embedded, refused }
      const migration = building === null ? null : { from: active, to: building }
      const providerProblem =
        provider !== 'none' && !available && (error ?? 'the provider does not answer')
      const errorField = error === undefined ? {} : { error }
      const details = { provider, model, available, usage, migration, ...errorField }
      return toHealth(
        [providerProblem],
        details,
        embedded < minEmbeddedShare * total ? 1 - penalty : 1,
      )
    },
  }
}

const probeTimeoutMs = 2000

export async function readStatus({
  needs,
  registry,
  pendingWork,
}: Runtime): Promise<ProviderStatus> {
  const configured = registry.configured()
  const embedder = configured?.primary ?? configured
  const checkedAt = needs.host.now().toISOString()
  if (!embedder) {
    const error = 'embeddings are disabled: embedding.provider is none'
    return { provider: 'none', model: null, available: false, base_url: null, checkedAt, error }
  }
  const { provider, model, baseUrl: base_url } = embedder
  const dimensions = registry.models().target?.dims ?? needs.config().dimensions
  const result = await pendingWork.run(probeTimeoutMs, async () => {
    try {
      await probe(embedder, pendingWork.signal)
      const { dims } = await embedder.identity()
      const error = embedder.limitation?.()
      return { available: true, dimensions: dims, ...(error !== undefined && { error }) }
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error
      return { available: false, error: error.message }
    }
  })
  const timedOut = { available: false, error: `no answer within ${probeTimeoutMs} ms` }
  const known = dimensions === undefined ? {} : { dimensions }
  return { provider, model, base_url, checkedAt, ...known, ...(result ?? timedOut) }
}
