import type { Db } from '../../kernel/db/database.ts'
import { maxRemovals } from './check/limits.ts'
import { fingerprintOf } from './fact.ts'
import type { DreamingNeeds } from './needs.ts'
import type { Pass, StagedOperation } from './pass.ts'
import { listPendingAttention } from './store/attention.ts'

const maxAttention = 200
const maxNames = 20_000
const possessive = /['’]s?$/
const confidence = 0.95

interface Stage {
  readonly pass: Pass
  /** The position of the first operation. */
  readonly offset: number
}

/** Merges that need no judgement: `Ann Lee's` without values of its own is `Ann Lee`. */
export async function stageHygiene(
  needs: DreamingNeeds,
  db: Db,
  { pass, offset }: Stage,
): Promise<StagedOperation[]> {
  const { agentId } = pass
  const items = (await listPendingAttention(db, agentId, maxAttention)).filter(
    ({ kind, subjectRef }) => kind === 'hygiene' && subjectRef.startsWith('duplicate:'),
  )
  if (items.length === 0) return []
  const names = await needs.knowledge.ledger.listNames(db, agentId, maxNames)
  const filled = new Set(await needs.knowledge.candidates.listEntitiesWithClaims(db, agentId))
  const merges = items.flatMap(({ id, details }) => {
    const ids = new Set((Object(JSON.parse(details)).ids ?? '').split(','))
    const group = names.filter((one) => ids.has(one.id) && isFree(one))
    const bare = group.find((one) => possessive.test(one.canonicalName) && !filled.has(one.id))
    const target = group.find(
      ({ canonicalName }) => canonicalName === bare?.canonicalName.replace(possessive, ''),
    )
    const isSameType = bare?.entityType === target?.entityType || bare?.entityType === 'unknown'
    return bare && target && isSameType ? [{ attentionId: id, bare, target }] : []
  })
  return merges
    .slice(0, maxRemovals(names.length))
    .map((merge, at) => toOperation(merge, { pass, position: offset + at }))
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

function toOperation(
  { attentionId, bare, target }: Merge,
  { pass, position }: { readonly pass: Pass; readonly position: number },
): StagedOperation {
  const operation = 'merge_entities'
  return {
    passId: pass.id,
    position,
    agentId: pass.agentId,
    origin: 'rules',
    rule: 'hygiene.possessive',
    operation,
    payload: { target_id: target.id, source_ids: [bare.id] },
    evidence: [],
    subject: bare.name,
    beforeIds: [],
    reason: 'The name is the possessive of another one and has no values.',
    confidence,
    risk: null,
    provenance: `attention:${attentionId}`,
    state: 'planned',
    error: null,
    proposalId: null,
    batchId: null,
    attributeId: null,
    fingerprint: fingerprintOf({
      family: 'claim',
      subject: bare.name,
      slot: operation,
      value: target.name,
    }),
    facts: [],
  }
}
