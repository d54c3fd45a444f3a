import type { Db } from '../../kernel/db/database.ts'
import { classifyName } from '../knowledge/index.ts'
import { type NewAttention, reviewNoticeMs } from './enqueue-attention.ts'
import type { DreamingNeeds } from './needs.ts'
import { isSingle, singleAspects } from './rules/slots.ts'

type Candidate = Omit<NewAttention, 'agentId'>

/** Of one sweep. */
const maxCandidates = 50
const maxScanned = 5_000
const genericAspects = ['profile', 'details', 'general', 'information']

/** What a person or a model should look at: the most urgent of each kind. */
export async function listCandidates(
  needs: DreamingNeeds,
  db: Db,
  agentId: string,
): Promise<readonly Candidate[]> {
  const hygiene = [
    ...(await listSuspicious(needs, db, agentId)),
    ...(await listDuplicates(needs, db, agentId)),
    ...(await listGeneric(needs, db, agentId)),
    ...(await listUnnamed(needs, db, agentId)),
  ]
  return [
    ...hygiene.toSorted((one, other) => other.priority - one.priority).slice(0, maxCandidates),
    ...(await listDue(needs, db, agentId)),
    ...(await listContested(needs, db, agentId)),
  ]
}

/** Names that can be no entity, and entities without values. */
async function listSuspicious(
  { knowledge }: DreamingNeeds,
  db: Db,
  agentId: string,
): Promise<Candidate[]> {
  const names = await knowledge.ledger.listNames(db, agentId, maxScanned)
  const own = names.filter(({ sourceRoot, pinned }) => sourceRoot === null && pinned === 0)
  const filled = new Set(await knowledge.candidates.listEntitiesWithClaims(db, agentId))
  return own.flatMap(({ id, name, entityType, mentions }): Candidate[] => {
    const { reason } = classifyName(name, entityType)
    const item = { kind: 'hygiene', subjectRef: `entity:${id}` } as const
    if (reason !== undefined)
      return [{ ...item, details: { entity: name, reason }, priority: mentions === 0 ? 70 : 100 }]
    if (filled.has(id)) return []
    return [{ ...item, details: { entity: name, reason: 'no_active_values' }, priority: 90 }]
  })
}

/** Entities whose names are the same words. */
async function listDuplicates(
  { knowledge }: DreamingNeeds,
  db: Db,
  agentId: string,
): Promise<Candidate[]> {
  const groups = await knowledge.candidates.listDuplicates(db, agentId, maxCandidates)
  return groups.map((group) => {
    const [first] = group
    const canonicalName = first?.canonicalName ?? ''
    const ids = group.map(({ id }) => id).toSorted()
    return {
      kind: 'hygiene',
      subjectRef: `duplicate:${canonicalName}`,
      details: { canonicalName, count: String(group.length), ids: ids.join(',') },
      priority: 75,
    }
  })
}

/** Claim values that no path leads to. */
async function listUnnamed(
  { knowledge }: DreamingNeeds,
  db: Db,
  agentId: string,
): Promise<Candidate[]> {
  const claims = await knowledge.candidates.listUnkeyedClaims(db, agentId, maxCandidates)
  return claims.map(({ id, entity, aspect }) => ({
    kind: 'hygiene',
    subjectRef: `attribute:${id}`,
    details: { attribute: id, entity, aspect, reason: 'no_claim_key' },
    priority: 80,
  }))
}

async function listGeneric(
  { knowledge }: DreamingNeeds,
  db: Db,
  agentId: string,
): Promise<Candidate[]> {
  const { aspects, links } = await knowledge.candidates.listGeneric(db, agentId, {
    names: genericAspects,
    limit: maxCandidates,
  })
  return [
    ...aspects.map(({ id, canonicalName }) => ({
      kind: 'hygiene' as const,
      subjectRef: `aspect:${id}`,
      details: { aspect: canonicalName, reason: 'generic_aspect' },
      priority: 65,
    })),
    ...links.map(({ id }) => ({
      kind: 'hygiene' as const,
      subjectRef: `link:${id}`,
      details: { reason: 'generic_link' },
      priority: 55,
    })),
  ]
}

/** Claims and memories whose review is past, or due within a week. */
async function listDue(
  { knowledge, memory, host }: DreamingNeeds,
  db: Db,
  agentId: string,
): Promise<Candidate[]> {
  const now = host.now()
  const before = new Date(now.getTime() + reviewNoticeMs).toISOString()
  const page = { before, limit: maxCandidates }
  const claims = await knowledge.candidates.listDueClaims(db, agentId, page)
  const memories = await memory.changes.listDueReviews(db, agentId, page)
  const priorityOf = (deadline: string) => (deadline < now.toISOString() ? 85 : 60)
  const due = [
    ...claims.map(({ id, entity, aspect, claimKey, reviewAfter }) => ({
      subjectRef: `attribute:${id}`,
      details: { entity, aspect, claimKey, deadline: reviewAfter ?? '' },
      deadline: reviewAfter ?? '',
    })),
    ...memories
      .filter(({ memoryKind }) => memoryKind !== 'derived')
      .map(({ id, reviewAfter }) => ({
        subjectRef: `memory:${id}`,
        details: { memory: id, deadline: reviewAfter ?? '' },
        deadline: reviewAfter ?? '',
      })),
  ]
  return due
    .toSorted((one, other) => (one.deadline < other.deadline ? -1 : 1))
    .slice(0, maxCandidates)
    .map(({ deadline, ...item }) => ({
      kind: 'review_due' as const,
      ...item,
      priority: priorityOf(deadline),
    }))
}

/** Active values that seem to contradict each other, and further values of a slot that has one. */
async function listContested(
  { knowledge, ontology }: DreamingNeeds,
  db: Db,
  agentId: string,
): Promise<Candidate[]> {
  const found = await ontology.listContradictions(db, agentId, maxCandidates)
  const crowded = await knowledge.candidates.listCrowdedSlots(db, agentId, {
    aspects: singleAspects,
    limit: maxCandidates,
  })
  const twice = crowded
    .filter(({ aspect, claimKey }) => isSingle(aspect, claimKey))
    .map(({ attributeId, otherId }) => ({ attributeId, otherId, reason: 'two_active_values' }))
  const pairs = [...found, ...twice].slice(0, maxCandidates)
  return pairs.map(({ attributeId, otherId, reason }) => ({
    kind: 'contested_claim',
    subjectRef: `attribute:${attributeId}`,
    details: { attribute: attributeId, other: otherId, reason },
    priority: 70,
  }))
}
