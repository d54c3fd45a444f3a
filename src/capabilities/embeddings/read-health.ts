import type { Caller } from '../../kernel/auth/caller.ts'
import { toIdentity } from './embedder.ts'
import { readModels } from './models.ts'
import type { Coverage } from './needs.ts'
import type { Runtime } from './runtime.ts'
import type { ProviderStatus } from './status.ts'
import { countOrphans, hasVectorOf, isSettledBy } from './store/vectors.ts'

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
  /** Vectors of another model than the configured one. */
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
  { needs }: Pick<Runtime, 'needs'>,
  caller: Caller,
  provider: ProviderStatus,
): Promise<EmbeddingsHealth> {
  const { active, building } = await readModels(needs.background)
  const { identity = '', seenRevision: upTo = 0 } = active ?? {}
  const memories = needs.memories()
  const isSettled = isSettledBy(identity)
  const [coverage, orphans, unsettled] = await Promise.all([
    memories.countReadable(caller, { allScopes: true, hasVector: hasVectorOf(identity) }),
    countOrphans(needs.background, memories.isKept),
    memories.countUnsettled(needs.background, { upTo, isSettled }),
  ])
  const stale = building ? coverage.embedded : 0
  const { dimensions = active?.dims } = needs.config()
  const checks = [
    checkProvider(provider),
    checkCoverage(coverage),
    checkDimensions(active?.dims, dimensions),
    checkDrift(stale, building && toIdentity(building)),
    { name: 'null-vectors', status: 'ok', message: 'the table takes none' },
    checkSync(unsettled),
    checkOrphans(orphans),
  ] as const
  const score = checks.reduce(
    (sum, { name, status }) => sum + (weights[name] ?? 0) * worth[status],
    0,
  )
  const rounded = Math.round(score * 100) / 100
  return { status: toVerdict(rounded), score: rounded, provider, coverage, stale, checks }
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

function checkCoverage({ total, embedded }: Coverage): Check {
  const share = total === 0 ? 1 : embedded / total
  const detail = { total, embedded, unembedded: total - embedded, coverage: share }
  const message = `${embedded} of ${total} have a vector`
  if (share >= 0.95) return { name: 'coverage', status: 'ok', message, detail }
  const fix = 'reverie embed backfill'
  return { name: 'coverage', status: share >= 0.8 ? 'warn' : 'fail', message, detail, fix }
}

function checkDimensions(kept: number | undefined, wanted: number | undefined): Check {
  const name = 'dimension-mismatch'
  if (kept === wanted) return { name, status: 'ok', message: 'all as configured' }
  return { name, status: 'fail', message: `kept with ${kept}, configured with ${wanted}` }
}

function checkDrift(stale: number, building: string | undefined): Check {
  const name = 'model-drift'
  if (!building) return { name, status: 'ok', message: 'all by the configured model' }
  return { name, status: 'warn', message: `${building} is being built`, detail: { stale } }
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
