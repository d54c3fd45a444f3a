import type { Caller } from '../../kernel/auth/caller.ts'
import { type Models, readModels } from './models.ts'
import type { Coverage } from './needs.ts'
import type { Runtime } from './runtime.ts'
import type { ProviderStatus } from './status.ts'
import { countOrphans, hasVectorOf, isPendingFrom, isSettledBy } from './store/vectors.ts'

interface Check {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly detail?: unknown
  readonly fix?: string
}

export interface EmbeddingsHealth {
  readonly status: 'healthy' | 'degraded' | 'unhealthy'
  /** From 0 to 1. */
  readonly score: number
  readonly provider: ProviderStatus
  /** Of what the caller may read. */
  readonly coverage: Coverage
  /** The numbers of a vector as they are configured, or else as the model has them. */
  readonly dimensions: number | undefined
  /** Memories that are found by another model, or by vectors of another length, than is configured. */
  readonly stale: number
  readonly checks: readonly Check[]
}

const weights: Readonly<Record<string, number>> = {
  'provider-available': 0.3,
  coverage: 0.25,
  'dimension-mismatch': 0.15,
  'model-drift': 0.1,
  'null-vectors': 0.08,
  'vec-table-sync': 0.07,
  'orphaned-embeddings': 0.05,
}
const worth = { ok: 1, warn: 0.5, fail: 0 } as const

export async function readHealth(
  { needs, makers }: Pick<Runtime, 'needs' | 'makers'>,
  caller: Caller,
  provider: ProviderStatus,
): Promise<EmbeddingsHealth> {
  const wanted = readWanted({ needs, makers })
  const models = await readModels(needs.background, makers.models().target?.identity)
  const { active, target } = models
  const { identity = '', seenRevision: upTo = 0 } = active ?? {}
  const memories = needs.memories()
  const isSettled = isSettledBy(identity)
  const next = target && target.identity !== identity ? target.identity : undefined
  const [coverage, settled, left, orphans, unsettled] = await Promise.all([
    memories.countReadable(caller, { allScopes: true, hasVector: hasVectorOf(identity) }),
    memories.countReadable(caller, { allScopes: true, hasVector: isSettled }),
    next === undefined
      ? undefined
      : memories.countReadable(caller, {
          allScopes: true,
          hasVector: isPendingFrom(identity, next),
        }),
    countOrphans(needs.background, memories.isKept),
    memories.countUnsettled(needs.background, { upTo, isSettled }),
  ])
  // Of what is found now, all that the configured model has not made a vector of.
  const { embedded: pending } = left ?? coverage
  const drift = checkDrift(models, wanted, pending)
  const length = checkDimensions(active?.dims, wanted.dimensions, pending)
  const checks: readonly Check[] = [
    checkProvider(provider),
    checkCoverage(coverage, settled),
    length.check,
    drift.check,
    { name: 'null-vectors', status: 'ok', message: 'the table takes none' },
    checkSync(unsettled),
    checkOrphans(orphans),
  ]
  const score = checks.reduce(
    (sum, { name, status }) => sum + (weights[name] ?? 0) * worth[status],
    0,
  )
  const rounded = Math.round(score * 100) / 100
  // A vector of another length is nearly always of another model as well: no memory counts twice.
  const stale = Math.max(drift.stale, length.stale)
  const dimensions = wanted.dimensions ?? provider.dimensions ?? target?.dims
  return {
    ...{ status: toVerdict(rounded), score: rounded, provider, coverage },
    ...{ dimensions, stale, checks },
  }
}

interface Wanted {
  /** Undefined where nothing is configured. */
  readonly model: string | undefined
  readonly dimensions: number | undefined
}

/** The bundled model is as it is, whatever else is written beside it. */
function readWanted({ needs, makers }: Pick<Runtime, 'needs' | 'makers'>): Wanted {
  const { provider, model } = makers.configured() ?? {}
  const isBundled = provider === undefined || provider === 'static'
  return { model, dimensions: isBundled ? undefined : needs.config().dimensions }
}

function toVerdict(score: number): EmbeddingsHealth['status'] {
  if (score >= 0.8) return 'healthy'
  return score >= 0.5 ? 'degraded' : 'unhealthy'
}

function checkProvider({ available, provider, error }: ProviderStatus): Check {
  const name = 'provider-available'
  if (available) return { name, status: 'ok', message: `${provider} answers` }
  const fix = 'look at the settings under `embedding`, and whether the provider runs'
  return { name, status: 'fail', message: error ?? `${provider} does not answer`, fix }
}

/** Of `settled` those that are set aside count as embedded: nothing is won by trying them again. */
function checkCoverage({ total, embedded }: Coverage, settled: Coverage): Check {
  const share = total === 0 ? 1 : embedded / total
  const detail = { total, embedded, unembedded: total - embedded, coverage: share }
  const message = `${embedded} of ${total} have a vector`
  if (share >= 0.95) return { name: 'coverage', status: 'ok', message, detail }
  const fix =
    settled.embedded < settled.total
      ? 'reverie embed backfill'
      : 'set `embedding.provider` to a model that reads them: this one makes no vector of the rest'
  return { name: 'coverage', status: share >= 0.8 ? 'warn' : 'fail', message, detail, fix }
}

interface Found {
  readonly check: Check
  readonly stale: number
}

function checkDimensions(
  kept: number | undefined,
  wanted: number | undefined,
  stale: number,
): Found {
  const name = 'dimension-mismatch'
  if (kept === undefined || wanted === undefined || kept === wanted)
    return { check: { name, status: 'ok', message: 'all as configured' }, stale: 0 }
  const message = `${stale} kept with ${kept}, configured with ${wanted}`
  return { check: { name, status: 'fail', message, detail: { mismatched: stale } }, stale }
}

function checkDrift({ active, target }: Models, { model }: Wanted, pending: number): Found {
  const name = 'model-drift'
  const isBuilt = target !== undefined && target.identity !== active?.identity
  const isUnknown = target === undefined && model !== undefined
  if (!active || (!isBuilt && !(isUnknown && active.model !== model))) {
    const message = model === undefined ? 'no model is configured' : 'all by the configured model'
    return { check: { name, status: 'ok', message }, stale: 0 }
  }
  const message = isBuilt
    ? `${target.identity} is being built`
    : `${model} is configured and has not answered, ${active.identity} answers`
  return { check: { name, status: 'warn', message, detail: { stale: pending } }, stale: pending }
}

/** Whoever waits for a vector, or is set aside with a reason, is not missed. */
function checkSync(missing: number): Check {
  const name = 'vec-table-sync'
  if (missing === 0) return { name, status: 'ok', message: 'whoever was embedded has a vector' }
  const message = `${missing} were embedded and have no vector`
  return { name, status: 'warn', message, detail: { missing }, fix: 'reverie embed backfill' }
}

function checkOrphans(orphans: number): Check {
  const name = 'orphaned-embeddings'
  if (orphans === 0) return { name, status: 'ok', message: 'none' }
  const message = `${orphans} vectors of what is gone`
  return { name, status: 'warn', message, detail: { orphans }, fix: 'reverie embed backfill' }
}
