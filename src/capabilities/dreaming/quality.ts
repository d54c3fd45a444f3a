import { classifyName, toCanonicalName } from '../knowledge/index.ts'
import type { DreamingNeeds } from './needs.ts'
import { countStatesSince, listClaimOrigins } from './store/operations.ts'

const maxExamples = 50
const maxEntities = 100_000
const windowMs = 90 * 86_400_000
const genericAspects = ['profile', 'details', 'general', 'information']
const untyped: ReadonlySet<string> = new Set(['', 'unknown'])

/** How well the graph is cited, named and structured; a rate without a denominator is null. */
export async function readQuality(needs: DreamingNeeds, agentId: string) {
  const { background: db, knowledge, host } = needs
  const entities = await knowledge.ledger.listNames(db, agentId, maxEntities)
  const own = entities.filter(({ sourceRoot }) => sourceRoot === null)
  const now = host.now()
  const since = new Date(now.getTime() - windowMs).toISOString()
  const { citationCoverage, byOrigin } = await measureCitations(needs, agentId, own)
  const { totalClaimValues: active, valuesWithResolvedEpisodicQuote: cited } = citationCoverage
  return {
    agentId,
    citationCoverage,
    graphGarbageRate: measureGarbage(own),
    structureQuality: await measureStructure(needs, agentId, entities),
    claims: { active, cited, byOrigin },
    undoneShare: await measureUndone(needs, agentId, since),
    measuredAt: now.toISOString(),
  }
}

function toRate(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

type Names = Awaited<ReturnType<DreamingNeeds['knowledge']['ledger']['listNames']>>

/** Claim values with a live quote of an episodic source. */
async function measureCitations(
  { background: db, knowledge }: DreamingNeeds,
  agentId: string,
  own: Names,
) {
  const ids = own.map(({ id }) => id)
  const claims = (await knowledge.ledger.listClaimsOf(db, agentId, ids)).filter(
    ({ status }) => status === 'active',
  )
  const citations = await knowledge.ledger.listClaimCitations(
    db,
    agentId,
    claims.map(({ id }) => id),
  )
  const episodic = new Set(['memory', 'artifact', 'transcript'])
  const quoted = new Set(
    citations
      .filter(({ sourceKind, quote }) => episodic.has(sourceKind) && quote.trim() !== '')
      .map(({ subjectId }) => subjectId),
  )
  const counted = claims.filter(({ id, claimKey }) => claimKey !== '' && quoted.has(id)).length
  const origins = await listClaimOrigins(db, agentId)
  const byOrigin = { rules: 0, model: 0, other: 0 }
  for (const { id } of claims) byOrigin[origins.get(id) ?? 'other'] += 1
  const citationCoverage = {
    totalClaimValues: claims.length,
    valuesWithResolvedEpisodicQuote: counted,
    unaddressableClaimValues: claims.filter(({ claimKey }) => claimKey === '').length,
    unresolvedClaimPaths: 0,
    rate: toRate(counted, claims.length),
  }
  return { citationCoverage, byOrigin }
}

function measureGarbage(own: Names) {
  const names = new Set(own.map(({ canonicalName }) => canonicalName))
  const garbage = own.flatMap(({ id, name, entityType, canonicalName }) => {
    const base = canonicalName.replace(/['’]s$/, '')
    const isPossessive = base !== canonicalName && names.has(toCanonicalName(base))
    const reason = isPossessive ? 'possessive_duplicate' : classifyName(name, entityType).reason
    return reason === undefined ? [] : [{ id, name, reason }]
  })
  return {
    totalEntities: own.length,
    garbageEntities: garbage.length,
    rate: toRate(garbage.length, own.length),
    examples: garbage.slice(0, maxExamples),
  }
}

async function measureStructure(
  { background: db, knowledge }: DreamingNeeds,
  agentId: string,
  entities: Names,
) {
  const unknown = entities.filter(({ entityType }) => untyped.has(entityType)).length
  const aspects = await knowledge.candidates.countAspects(db, agentId, genericAspects)
  return {
    totalEntities: entities.length,
    unknownEntityTypes: unknown,
    unknownEntityTypeRate: toRate(unknown, entities.length),
    totalAspects: aspects.total,
    profileAspects: aspects.profile,
    profileAspectRate: toRate(aspects.profile, aspects.total),
    genericAspects: aspects.generic,
    genericAspectRate: toRate(aspects.generic, aspects.total),
  }
}

/** Operations that people undid or rejected, of those that passes applied. */
async function measureUndone({ background: db }: DreamingNeeds, agentId: string, since: string) {
  const counts = await countStatesSince(db, agentId, since)
  const removed = (counts.get('undone') ?? 0) + (counts.get('rejected') ?? 0)
  const applied = (counts.get('applied') ?? 0) + (counts.get('undone') ?? 0)
  return { removed, applied, rate: toRate(removed, applied) }
}
