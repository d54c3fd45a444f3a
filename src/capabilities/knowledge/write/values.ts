import { settleAll } from '../../../kernel/db/transaction.ts'
import type { Aspect } from '../aspect.ts'
import {
  type Claim,
  type ClaimKind,
  defaultConfidence,
  defaultGroup,
  defaultImportance,
  laterOf,
  maxActiveValues,
  normalizeValue,
} from '../claim.ts'
import { parseKey } from '../name.ts'
import { countActiveClaims, findMaxVersion, listSlot } from '../store/claims.ts'
import { insertRows, updateRows } from '../store/images.ts'
import { assertReplaceable } from './archive.ts'
import { cite, visibilityOf } from './cite.ts'
import { unarchived } from './entities.ts'
import type { GraphWrite } from './graph-write.ts'
import { graphRefusal } from './refusals.ts'

type Origin = Partial<Pick<Claim, 'sourceKind' | 'sourceId' | 'sourcePath' | 'sourceRoot'>>

export interface ValueInput {
  readonly aspect: Aspect
  readonly groupKey?: string | undefined
  readonly claimKey: string
  readonly value: string
  readonly kind?: ClaimKind | undefined
  readonly confidence?: number | undefined
  readonly importance?: number | undefined
  readonly reviewAfter?: string | undefined
  readonly origin?: Origin | undefined
  /** The value that this one continues. */
  readonly previous?: Claim | undefined
}

export interface SetInput extends ValueInput {
  readonly force: boolean
  /** Older evidence than that of the active value becomes history. For automated writers. */
  readonly allowsLate: boolean
}

export interface WrittenValue {
  readonly claim: Claim
  readonly deduped: boolean
  /** False for late evidence. */
  readonly current: boolean
  /** Active values of the slot before the change, without `claim`. */
  readonly others: readonly Claim[]
  readonly superseded: readonly Claim[]
  readonly previous: Claim | undefined
}

/** Adds a value next to the active ones. An equal active value only gains the citations. */
export async function addValue(write: GraphWrite, input: ValueInput): Promise<WrittenValue> {
  const [{ slot, active, equal }, activeCount] = await Promise.all([
    readSlot(write, input),
    countActive(write, input.aspect.id),
  ])
  const others = active.filter((claim) => claim !== equal)
  const base = { current: true, others, superseded: [], previous: undefined }
  if (equal) return { ...base, claim: await confirm(write, equal, input), deduped: true }
  const version = input.previous ? (await findMaxVersion(write.db, slot)) + 1 : 1
  const claim = newClaim(write, { ...input, ...slot, mode: 'add', version })
  await insertClaim(write, claim, activeCount)
  return { ...base, claim, deduped: false }
}

/** Makes a value the only active one of its slot. */
export async function setValue(write: GraphWrite, input: SetInput): Promise<WrittenValue> {
  const { slot, values, active, equal } = await readSlot(write, input)
  const others = active.filter((claim) => claim !== equal)
  const [newest = values[0]] = active
  const base = { others, superseded: [], previous: newest }
  const version = write.childless.has(slot.aspectId) ? 0 : await findMaxVersion(write.db, slot)
  const claim = newClaim(write, {
    ...input,
    ...slot,
    previous: newest,
    version: version + 1,
    mode: 'set',
  })
  const later = active.find(({ assertedAt }) => assertedAt > claim.assertedAt)
  if (!equal && input.allowsLate && later) {
    const late = { ...claim, status: 'superseded', supersededBy: later.id } as const
    await insertClaim(write, late)
    return { ...base, claim: late, deduped: false, current: false }
  }
  assertReplaceable(others, input.force)
  const current = equal ? await confirm(write, equal, input) : claim
  if (!equal) await insertClaim(write, claim)
  await supersede(write, others, current.id)
  return { ...base, superseded: others, claim: current, deduped: Boolean(equal), current: true }
}

export function readSlotKey(input: Pick<ValueInput, 'aspect' | 'groupKey' | 'claimKey'>) {
  return {
    aspectId: input.aspect.id,
    groupKey: parseKey(input.groupKey ?? defaultGroup, 'group_key'),
    claimKey: parseKey(input.claimKey, 'claim_key'),
  }
}

async function readSlot(write: GraphWrite, input: ValueInput) {
  const slot = readSlotKey(input)
  const isFirst = write.childless.has(slot.aspectId)
  const values = isFirst
    ? []
    : (write.known?.listSlot(slot) ?? (await listSlot(write.db, write.agentId, slot)))
  const active = values.filter(({ status }) => status === 'active')
  const normalized = normalizeValue(input.value)
  const equal = active.find(({ normalizedContent }) => normalizedContent === normalized)
  return { slot, values, active, equal }
}

/** More evidence for a value. */
async function confirm(write: GraphWrite, claim: Claim, input: ValueInput): Promise<Claim> {
  const { confidence = defaultConfidence } = input
  const set = {
    confidence: Math.max(claim.confidence, confidence),
    assertedAt: laterOf(assertedAtOf(write), claim.assertedAt),
    visibility: claim.visibility === 'private' ? claim.visibility : visibilityOf(write),
    updatedAt: write.at,
  }
  await updateRows(write, { table: 'entityAttributes', rows: [claim] }, set)
  await cite(write, { type: 'claim', id: claim.id, entityIds: [claim.entityId] })
  write.touched.claims.add(claim.id)
  return { ...claim, ...set }
}

/** The newest time of the sources. */
function assertedAtOf({ sources, at }: GraphWrite): string {
  return (
    sources
      .map(({ sourceTime }) => sourceTime)
      .toSorted()
      .at(-1) ?? at
  )
}

interface NewClaim extends ValueInput {
  readonly groupKey: string
  readonly version?: number
  readonly mode: Claim['mode']
}

export function newClaim(write: GraphWrite, input: NewClaim): Claim {
  const { agentId, at, proposalId } = write
  const { aspect, groupKey, claimKey, value, previous, version = 1 } = input
  const id = write.newId()
  return {
    id,
    agentId,
    entityId: aspect.entityId,
    aspectId: aspect.id,
    memoryId: null,
    kind: input.kind ?? 'attribute',
    mode: input.mode,
    content: value,
    normalizedContent: normalizeValue(value),
    groupKey,
    claimKey,
    confidence: input.confidence ?? defaultConfidence,
    importance: input.importance ?? defaultImportance,
    assertedAt: assertedAtOf(write),
    visibility: visibilityOf(write),
    pinned: 0,
    ...unarchived,
    supersededBy: null,
    version,
    versionRootId: previous?.versionRootId ?? id,
    previousAttributeId: previous?.id ?? null,
    reviewAfter: input.reviewAfter ?? null,
    sourceKind: null,
    sourceId: null,
    sourcePath: null,
    sourceRoot: null,
    ...input.origin,
    proposalId,
    createdAt: at,
    updatedAt: at,
    withheldAt: null,
  }
}

/** `activeCount`: the active values of the aspect, if the caller has counted them. */
export async function insertClaim(
  write: GraphWrite,
  claim: Claim,
  activeCount?: number,
): Promise<void> {
  const count = activeCount ?? (await countActive(write, claim.aspectId))
  write.childless.delete(claim.aspectId)
  if (claim.status === 'active' && count >= maxActiveValues)
    throw graphRefusal('too_many', { limit: maxActiveValues })
  write.touched.claims.add(claim.id)
  await settleAll([
    insertRows(write, 'entityAttributes', [claim]),
    cite(write, { type: 'claim', id: claim.id, entityIds: [claim.entityId] }, true),
  ])
}

async function countActive(
  { db, childless, known }: GraphWrite,
  aspectId: string,
): Promise<number> {
  if (childless.has(aspectId)) return 0
  return known?.countActive(aspectId) ?? countActiveClaims(db, aspectId)
}

export async function supersede(
  write: GraphWrite,
  claims: readonly Claim[],
  supersededBy: string | null,
): Promise<void> {
  const set = { status: 'superseded', supersededBy, updatedAt: write.at } as const
  await updateRows(write, { table: 'entityAttributes', rows: claims }, set)
  for (const { id } of claims) write.touched.claims.add(id)
}

/** Supersedes active values, with or without a replacement. */
export async function supersedeValues(
  write: GraphWrite,
  claims: readonly Claim[],
  { by, force }: { readonly by: string | null; readonly force: boolean },
): Promise<void> {
  assertReplaceable(claims, force)
  await supersede(write, claims, by)
}

/** Makes an earlier or archived value the only active one of its slot. */
export async function restoreValue(
  write: GraphWrite,
  claim: Claim,
  { force }: { readonly force: boolean },
): Promise<{ readonly claim: Claim; readonly superseded: readonly Claim[] }> {
  const values = await listSlot(write.db, write.agentId, claim)
  const others = values.filter(({ id, status }) => id !== claim.id && status === 'active')
  assertReplaceable(others, force)
  const { proposalId, at: updatedAt } = write
  const set = { ...unarchived, supersededBy: null, proposalId, updatedAt }
  await updateRows(write, { table: 'entityAttributes', rows: [claim] }, set)
  await supersede(write, others, claim.id)
  await cite(write, { type: 'claim', id: claim.id, entityIds: [claim.entityId] })
  write.touched.claims.add(claim.id)
  return { claim: { ...claim, ...set }, superseded: others }
}

export async function pinClaim(write: GraphWrite, claim: Claim, pinned: boolean): Promise<Claim> {
  const { proposalId, at: updatedAt } = write
  if ((claim.pinned === 1) === pinned) return claim
  const set = { pinned: pinned ? 1 : 0, proposalId, updatedAt } as const
  await updateRows(write, { table: 'entityAttributes', rows: [claim] }, set)
  return { ...claim, ...set }
}
