import { invalidRequest } from '../../../kernel/errors/refusal.ts'
import { defaultConfidence } from '../claim.ts'
import type { Entity } from '../entity.ts'
import {
  defaultStrength,
  isDependencyType,
  isWeakType,
  type Link,
  listDependencyTypes,
} from '../link.ts'
import { findAnyLink } from '../store/claims.ts'
import { insertRows, updateRows } from '../store/images.ts'
import { cite, visibilityOf } from './cite.ts'
import { unarchived } from './entities.ts'
import type { GraphWrite } from './graph-write.ts'
import { graphRefusal } from './refusals.ts'

type Origin = Partial<Pick<Link, 'sourceKind' | 'sourceId' | 'sourcePath' | 'sourceRoot'>>

interface LinkInput {
  readonly source: Entity
  readonly target: Entity
  readonly type: string
  readonly strength?: number | undefined
  readonly confidence?: number | undefined
  readonly reason?: string | undefined
  readonly aspectId?: string | null | undefined
  readonly origin?: Origin | undefined
}

/** The link of these ends and type; an archived one returns. */
export async function createLink(
  write: GraphWrite,
  input: LinkInput,
): Promise<{ readonly row: Link; readonly created: boolean }> {
  const { source, target, type, reason } = input
  assertLink(type, reason)
  if (source.id === target.id) throw invalidRequest('source and target must differ')
  const ends = { sourceEntityId: source.id, targetEntityId: target.id, dependencyType: type }
  const known = await findAnyLink(write.db, write.agentId, ends)
  const isLive = known?.status === 'active' && known.withheldAt === null
  const row = known
    ? await setLink(write, known, {
        ...unarchived,
        ...definedOf(input),
        proposalId: write.proposalId,
        visibility: isLive ? mergeVisibility(write, known) : visibilityOf(write),
        withheldAt: null,
      })
    : newLink(write, { ...input, ...ends })
  if (!known) await insertRows(write, 'entityDependencies', [row])
  await cite(write, { type: 'link', id: row.id, entityIds: [source.id, target.id] }, !known)
  return { row, created: !isLive }
}

function assertLink(type: string, reason: string | null | undefined): void {
  if (!isDependencyType(type))
    throw invalidRequest(`link_type is invalid. Use one of: ${listDependencyTypes().join(', ')}.`)
  if (isWeakType(type) && !reason) throw invalidRequest(`reason is required for ${type}`)
}

function mergeVisibility(write: GraphWrite, { visibility }: Link): Link['visibility'] {
  return visibility === 'private' ? visibility : visibilityOf(write)
}

function definedOf({ strength, confidence, reason }: Partial<LinkInput>) {
  return {
    ...(strength !== undefined && { strength }),
    ...(confidence !== undefined && { confidence }),
    ...(reason !== undefined && { reason }),
  }
}

function newLink(
  write: GraphWrite,
  {
    source,
    target,
    type,
    origin,
    ...input
  }: LinkInput & Pick<Link, 'sourceEntityId' | 'targetEntityId' | 'dependencyType'>,
): Link {
  const { agentId, at, newId, proposalId } = write
  return {
    sourceKind: null,
    sourceId: null,
    sourcePath: null,
    sourceRoot: null,
    ...origin,
    ...input,
    ...unarchived,
    id: newId(),
    agentId,
    aspectId: input.aspectId ?? null,
    strength: input.strength ?? defaultStrength,
    confidence: input.confidence ?? defaultConfidence,
    reason: input.reason ?? null,
    visibility: visibilityOf(write),
    proposalId,
    createdAt: at,
    updatedAt: at,
    withheldAt: null,
  }
}

async function setLink(write: GraphWrite, link: Link, set: Partial<Link>): Promise<Link> {
  const changed = { ...set, updatedAt: write.at }
  await updateRows(write, { table: 'entityDependencies', rows: [link] }, changed)
  return { ...link, ...changed }
}

/** Changes an active link. */
export async function updateLink(
  write: GraphWrite,
  link: Link,
  input: Pick<Partial<LinkInput>, 'type' | 'strength' | 'confidence' | 'reason'>,
): Promise<Link> {
  const { type = link.dependencyType, reason = link.reason } = input
  assertLink(type, reason)
  const { sourceEntityId, targetEntityId } = link
  const triple = { sourceEntityId, targetEntityId, dependencyType: type }
  const other = await findAnyLink(write.db, write.agentId, triple)
  if (other && other.id !== link.id) throw graphRefusal('link_exists')
  const { proposalId } = write
  const set = { ...definedOf(input), dependencyType: type, proposalId }
  const changed = await setLink(write, link, set)
  await cite(write, { type: 'link', id: link.id, entityIds: [sourceEntityId, targetEntityId] })
  return changed
}
