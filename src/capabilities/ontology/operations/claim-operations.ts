import { invalidRequest, notFound } from '../../../kernel/errors/refusal.ts'
import { type Claim, isSourceId, normalizeValue, toCanonicalKey } from '../../knowledge/index.ts'
import { selectAspect } from './aspect-operations.ts'
import type { Fields } from './fields.ts'
import { compareValues } from './guard.ts'
import {
  type Operation,
  type OperationContext,
  readArchive,
  selectClaim,
  selectEntity,
} from './operation.ts'

type ClaimKind = Claim['kind']
type WrittenValue = Awaited<ReturnType<OperationContext['graph']['setValue']>>
const claimKinds: readonly ClaimKind[] = ['attribute', 'constraint', 'claim']

const pin = (pinned: boolean): Operation => ({
  isContent: false,
  isAuditOnly: true,
  run: async (context, fields) => {
    const claim = await selectClaim(context, fields)
    if (claim.status !== 'active') throw notFound('Attribute not found')
    await context.graph.pinClaim(context.write, claim, pinned)
    return { attributeId: claim.id, pinned }
  },
})

export const claimOperations = {
  add_claim_value: {
    isContent: true,
    run: async (context, fields) => {
      const slot = readSlot(context, fields)
      const aspect = await upsertSlotAspect(context, fields)
      const result = await context.graph.addValue(context.write, { aspect, ...slot })
      return describe(context, result)
    },
  },
  set_claim_value: {
    isContent: true,
    run: async (context, fields) => {
      const { graph, write, isAutomated: allowsLate } = context
      const slot = readSlot(context, fields)
      const aspect = await upsertSlotAspect(context, fields)
      const force = fields.flag('force')
      const result = await graph.setValue(write, { aspect, ...slot, force, allowsLate })
      const { claim, current, previous, superseded } = result
      return {
        ...describe(context, { ...result, others: [] }),
        version: claim.version,
        versionRootId: claim.versionRootId,
        previousAttributeId: previous?.id ?? null,
        previousWasActive: previous?.status === 'active',
        supersededAttributeIds: superseded.map(({ id }) => id),
        ...(!current && { current }),
      }
    },
  },
  supersede_claim_value: { isContent: true, run: supersedeValue },
  archive_claim_value: {
    isContent: false,
    run: async (context, fields) => {
      const claim = await selectClaim(context, fields)
      await context.graph.archiveClaims(context.write, [claim], readArchive(fields))
      return { attributeId: claim.id }
    },
  },
  restore_claim_version: {
    isContent: false,
    run: async (context, fields) => {
      const { graph, write } = context
      const claim = await selectClaim(context, fields)
      const entity = await graph.selectEntity(write.db, write.agentId, { id: claim.entityId })
      await graph.selectAspect(write.db, entity, { id: claim.aspectId })
      const force = fields.flag('force')
      const { superseded } = await graph.restoreValue(write, claim, { force })
      return { attributeId: claim.id, supersededAttributeIds: superseded.map(({ id }) => id) }
    },
  },
  create_policy: {
    isContent: true,
    run: async (context, fields) => {
      const slot = {
        ...readShares(context, fields),
        groupKey: 'policy',
        claimKey: fields.required('kind'),
        value: fields.required('content'),
        kind: 'constraint' as const,
      }
      const entity = await selectEntity(context, fields, 'target_entity')
      const { row: aspect } = await context.graph.upsertAspect(context.write, entity, {
        name: 'policy',
      })
      return describe(context, await context.graph.addValue(context.write, { aspect, ...slot }))
    },
  },
  import_claim_value: {
    isContent: true,
    isAuditOnly: true,
    run: async (context, fields) => {
      const slot = readSlot(context, fields)
      const aspect = await upsertSlotAspect(context, fields)
      const { claim } = await context.graph.importValue(context.write, {
        aspect,
        ...slot,
        status: fields.text('status') === 'superseded' ? 'superseded' : 'active',
        mode: fields.text('mode') === 'set' ? 'set' : 'add',
        version: Math.max(1, Math.trunc(Number(fields.text('version')) || 1)),
        assertedAt: fields.time('asserted_at') ?? context.write.at,
        isPinned: fields.flag('pinned'),
      })
      return { entityId: claim.entityId, attributeId: claim.id }
    },
  },
  pin_claim: pin(true),
  unpin_claim: pin(false),
} as const satisfies Readonly<Record<string, Operation>>

function readSlot(context: OperationContext, fields: Fields) {
  return {
    ...readShares(context, fields),
    groupKey: fields.text('group_key', 'group'),
    claimKey: fields.required('claim_key', 'claim'),
    value: fields.required('value'),
    kind: readKind(fields),
    reviewAfter: fields.time('review_after'),
  }
}

function readShares({ confidence, origin }: OperationContext, fields: Fields) {
  return {
    confidence: fields.share('confidence') ?? confidence,
    importance: fields.share('importance'),
    origin,
  }
}

function readKind(fields: Fields): ClaimKind | undefined {
  const input = fields.text('kind')
  if (input === undefined) return undefined
  const kind = claimKinds.find((one) => one === input)
  if (!kind) throw invalidRequest(`kind must be one of ${claimKinds.join(', ')}`)
  return kind
}

/** An entity that is selected by id must exist; a name creates it. */
async function upsertSlotAspect({ graph, write }: OperationContext, fields: Fields) {
  const { db, agentId } = write
  const id = fields.text('entity_id')
  const aspectId = fields.text('aspect_id')
  const name = aspectId === undefined ? fields.required('aspect') : ''
  const entity =
    id === undefined
      ? await graph.upsertEntity(write, {
          name: fields.required('entity'),
          entityType: fields.text('entity_type'),
        })
      : { row: await graph.selectEntity(db, agentId, { id }) }
  if (aspectId !== undefined) return graph.selectAspect(db, entity.row, { id: aspectId })
  return (await graph.upsertAspect(write, entity.row, { name })).row
}

function describe(context: OperationContext, { claim, deduped, others }: WrittenValue) {
  return {
    entityId: claim.entityId,
    aspectId: claim.aspectId,
    attributeId: claim.id,
    memoryId: claim.status === 'active' ? claim.id : null,
    deduped,
    contradictionIds: deduped ? [] : recordContradictions(context, claim, others),
  }
}

/** Values that a new one is compared with. */
const maxCompared = 50

function recordContradictions(
  { write, contradictions }: OperationContext,
  claim: Claim,
  others: readonly Claim[],
): string[] {
  const ids: string[] = []
  for (const other of others.slice(0, maxCompared)) {
    const { reason, lexicalOverlap: overlap } = compareValues(claim.content, other.content)
    if (reason === null) continue
    const id = write.newId()
    contradictions.push({ id, attributeId: claim.id, otherId: other.id, reason, overlap })
    ids.push(id)
  }
  return ids
}

async function supersedeValue(context: OperationContext, fields: Fields) {
  const { graph, write } = context
  const newValue = fields.text('new_value')
  const matched = await matchValues(context, fields)
  const force = fields.flag('force')
  const replacement = await replace(context, { fields, matched, newValue })
  const superseded = matched.active.filter(({ id }) => id !== replacement.id)
  if (superseded.length === 0) throw invalidRequest('nothing active matches')
  await graph.supersedeValues(write, superseded, { by: replacement.id, force })
  return {
    supersededAttributeIds: superseded.map(({ id }) => id),
    replacementAttributeId: replacement.id,
    replacementCreated: replacement.created,
  }
}

type Matched = Awaited<ReturnType<typeof matchValues>>

async function matchValues(context: OperationContext, fields: Fields) {
  const { graph, write } = context
  const { db, agentId } = write
  const [id, oldValue] = [fields.text('attribute_id'), fields.text('old_value')]
  if (id === undefined && oldValue === undefined)
    throw invalidRequest('attribute_id or old_value is required')
  const isOwn = id !== undefined && !isSourceId(id)
  const claim = isOwn ? await graph.findClaim(db, agentId, id) : undefined
  const slot = claim ?? (await readSlotKey(context, fields))
  const values = await graph.listSlot(db, agentId, slot)
  const normalized = oldValue === undefined ? undefined : normalizeValue(oldValue)
  const active = values.filter(
    (one) =>
      one.status === 'active' &&
      (id === undefined ? one.normalizedContent === normalized : one.id === id),
  )
  if (active.length === 0) throw invalidRequest('nothing active matches')
  return { slot, values, active }
}

async function readSlotKey(context: OperationContext, fields: Fields) {
  const claimKey = toCanonicalKey(fields.required('claim_key', 'claim'))
  const groupKey = toCanonicalKey(fields.text('group_key', 'group') ?? 'general')
  const { id: aspectId } = await selectAspect(context, fields)
  return { aspectId, groupKey, claimKey }
}

/** The value that takes the place of the superseded ones, if any. */
async function replace(
  context: OperationContext,
  {
    fields,
    matched: { slot, values, active },
    newValue,
  }: {
    readonly fields: Fields
    readonly matched: Matched
    readonly newValue: string | undefined
  },
): Promise<{ readonly id: string | null; readonly created: boolean }> {
  const { graph, write } = context
  if (newValue === undefined) return findReplacement(fields, values)
  const [claim] = active
  const entity = await graph.selectEntity(write.db, write.agentId, { id: claim?.entityId ?? '' })
  const aspect = await graph.selectAspect(write.db, entity, { id: slot.aspectId })
  const input = {
    ...readShares(context, fields),
    aspect,
    groupKey: slot.groupKey,
    claimKey: slot.claimKey,
    value: newValue,
    kind: readKind(fields) ?? claim?.kind,
    previous: claim,
  }
  const { claim: added, deduped } = await graph.addValue(write, input)
  return { id: added.id, created: !deduped }
}

function findReplacement(fields: Fields, values: readonly Claim[]) {
  const id = fields.text('superseded_by')
  if (id === undefined) return { id: null, created: false }
  const isActive = values.some((one) => one.id === id && one.status === 'active')
  if (!isActive) throw notFound('Attribute not found')
  return { id, created: false }
}
