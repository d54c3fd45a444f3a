import type { Db } from '../../kernel/db/database.ts'
import { fingerprintOf } from './fact.ts'
import type { DreamingNeeds } from './needs.ts'
import { maxRemovals, type Pass, type StagedOperation } from './pass.ts'
import { listPendingAttention } from './store/attention.ts'
import { listProposed } from './store/operations.ts'

const maxAttention = 200
const maxNames = 20_000
const possessive = /['’]s?$/
const certain = 0.95
const likely = 0.6

interface Stage {
  readonly pass: Pass
  /** The position of the first operation. */
  readonly offset: number
}

/** Merges that need no judgement: `Ann Lee's` without values of its own is `Ann Lee`; others are proposed. */
export async function stageHygiene(
  needs: DreamingNeeds,
  db: Db,
  { pass, offset }: Stage,
): Promise<StagedOperation[]> {
  const { agentId } = pass
  const names = await needs.knowledge.ledger.listNames(db, agentId, maxNames)
  const proposed = listFirstNames(names).map(toProposal)
  const known = await listProposed(
    db,
    agentId,
    proposed.flatMap(({ fingerprint }) => fingerprint),
  )
  const merges = (await listPossessives(needs, db, { agentId, names }))
    .slice(0, maxRemovals(names.length))
    .map(toMerge)
  const fresh = proposed.filter(({ fingerprint }) => !known.has(fingerprint))
  return [...merges, ...fresh].map((operation, at) => ({
    ...operation,
    passId: pass.id,
    position: offset + at,
    agentId,
  }))
}

type Names = Awaited<ReturnType<DreamingNeeds['knowledge']['ledger']['listNames']>>

async function listPossessives(
  needs: DreamingNeeds,
  db: Db,
  { agentId, names }: { readonly agentId: string; readonly names: Names },
): Promise<Merge[]> {
  const items = (await listPendingAttention(db, agentId, maxAttention)).filter(
    ({ kind, subjectRef }) => kind === 'hygiene' && subjectRef.startsWith('duplicate:'),
  )
  if (items.length === 0) return []
  const filled = new Set(await needs.knowledge.candidates.listEntitiesWithClaims(db, agentId))
  return items.flatMap(({ id, details }) => {
    const ids = new Set((Object(JSON.parse(details)).ids ?? '').split(','))
    const group = names.filter((one) => ids.has(one.id) && isFree(one))
    const bare = group.find((one) => possessive.test(one.canonicalName) && !filled.has(one.id))
    const target = group.find(
      ({ canonicalName }) => canonicalName === bare?.canonicalName.replace(possessive, ''),
    )
    const isSameType = bare?.entityType === target?.entityType || bare?.entityType === 'unknown'
    return bare && target && isSameType ? [{ attentionId: id, bare, target }] : []
  })
}

const maxFirstNames = 20

/** People with one name that is the first name of exactly one other person. */
function listFirstNames(names: Names): Pick<Merge, 'bare' | 'target'>[] {
  const people = names.filter(({ entityType }) => entityType === 'person')
  const byFirstName = Map.groupBy(
    people.filter(({ canonicalName }) => canonicalName.includes(' ')),
    ({ canonicalName }) => canonicalName.split(' ')[0] ?? '',
  )
  return people
    .filter((one) => isFree(one) && !one.canonicalName.includes(' '))
    .flatMap((bare) => {
      const [target, ...others] = byFirstName.get(bare.canonicalName) ?? []
      return target && others.length === 0 ? [{ bare, target }] : []
    })
    .slice(0, maxFirstNames)
}

function isFree(entity: { readonly pinned: 0 | 1; readonly sourceRoot: string | null }): boolean {
  return entity.pinned === 0 && entity.sourceRoot === null
}

interface Named {
  readonly id: string
  readonly name: string
}

interface Merge {
  readonly attentionId: string
  readonly bare: Named
  readonly target: Named
}

type MergeOperation = Omit<StagedOperation, 'passId' | 'position' | 'agentId'> & {
  readonly fingerprint: string
}

function toMerge({ attentionId, ...merge }: Merge): MergeOperation {
  return {
    ...toOperation(merge),
    rule: 'hygiene.possessive',
    reason: 'The name is the possessive of another one and has no values.',
    confidence: certain,
    provenance: `attention:${attentionId}`,
  }
}

/** A person decides whether both are the same. */
function toProposal(merge: Pick<Merge, 'bare' | 'target'>): MergeOperation {
  return {
    ...toOperation(merge),
    rule: 'hygiene.first_name',
    reason: 'The name is the first name of one person only.',
    confidence: likely,
    risk: 'review_required',
  }
}

function toOperation({ bare, target }: Pick<Merge, 'bare' | 'target'>) {
  const operation = 'merge_entities'
  const slot = { family: 'claim', subject: bare.name, slot: operation, value: target.name } as const
  return {
    origin: 'rules',
    operation,
    payload: { target_id: target.id, source_ids: [bare.id] },
    evidence: [],
    subject: bare.name,
    beforeIds: [],
    risk: null,
    provenance: null,
    state: 'planned',
    error: null,
    proposalId: null,
    batchId: null,
    attributeId: null,
    fingerprint: fingerprintOf(slot),
    facts: [],
  } as const
}
