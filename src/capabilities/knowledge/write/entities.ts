import { invalidRequest, Refusal } from '../../../kernel/errors/refusal.ts'
import {
  defaultEntityType,
  type Entity,
  isEntityType,
  listEntityTypes,
  toEntityType,
} from '../entity.ts'
import { parseName } from '../name.ts'
import { classifyName } from '../quality.ts'
import { findArchived, findByAlias, listAliases, listNamed } from '../store/entities.ts'
import { insertRows, updateRows } from '../store/images.ts'
import { listProjectedIds } from '../store/projections.ts'
import { cite } from './cite.ts'
import type { GraphWrite } from './graph-write.ts'
import { maxProjections } from './project-claims.ts'
import { graphRefusal } from './refusals.ts'

interface EntityInput {
  readonly name: string
  readonly entityType?: string | undefined
  readonly description?: string | undefined
}

interface Upserted<Row> {
  readonly row: Row
  readonly created: boolean
}

/** The entity with this name or alias. Else an archived one returns, or a new one is created. */
export async function upsertEntity(
  write: GraphWrite,
  input: EntityInput,
): Promise<Upserted<Entity>> {
  const { db, agentId } = write
  const { name, canonicalName } = parseName(input.name, 'name')
  const entityType = readType(input.entityType)
  const isFree = write.known?.isFree(canonicalName) ?? false
  const known = isFree ? undefined : await findKnown(write, canonicalName)
  if (known) return { row: await addType(write, known, entityType), created: false }
  assertName(name)
  const { description = null } = input
  const fields = { name, entityType: entityType ?? defaultEntityType, description }
  const archived = isFree ? undefined : await findArchived(db, agentId, { canonicalName })
  const row = archived
    ? await setEntity(write, archived, {
        ...unarchived,
        name,
        ...(entityType && { entityType }),
        ...(description !== null && { description }),
        proposalId: write.proposalId,
      })
    : newEntity(write, { ...fields, canonicalName })
  if (!archived) {
    await insertRows(write, 'entities', [row])
    write.childless.add(row.id)
  }
  write.touched.entities.add(row.id)
  await cite(write, { type: 'entity', id: row.id, entityIds: [row.id] }, !archived)
  return { row, created: true }
}

async function findKnown(write: GraphWrite, canonicalName: string): Promise<Entity | undefined> {
  const { db, agentId, known } = write
  const read = known?.findEntity(canonicalName)
  if (read) return read
  const named = await listNamed(db, agentId, canonicalName)
  const own = named.find(({ sourceRoot }) => sourceRoot === null)
  return own ?? findByAlias(db, agentId, canonicalName)
}

/** A stated type replaces the unknown one. */
async function addType(
  write: GraphWrite,
  entity: Entity,
  entityType: string | undefined,
): Promise<Entity> {
  const isMoreSpecific = entityType !== undefined && entityType !== defaultEntityType
  const isOpen = entity.entityType === defaultEntityType && entity.sourceRoot === null
  return isMoreSpecific && isOpen ? setEntity(write, entity, { entityType }) : entity
}

export const unarchived = {
  status: 'active',
  archivedAt: null,
  archivedBy: null,
  archiveReason: null,
} as const

function assertName(name: string): void {
  const { ok, reason } = classifyName(name)
  if (ok) return
  const remedy =
    reason === 'too_short'
      ? 'Use at least four letters, or two Chinese, Japanese or Korean characters.'
      : 'Use the name of one person, place or thing.'
  throw new Refusal('invalid', 'name_rejected', `Entity name rejected: ${reason}. ${remedy}`)
}

function readType(input: string | undefined): string | undefined {
  if (input === undefined) return undefined
  const type = toEntityType(input)
  if (!isEntityType(type))
    throw invalidRequest(`entity_type is invalid. Use one of: ${listEntityTypes().join(', ')}.`)
  return type
}

function newEntity(
  { agentId, at, newId, proposalId }: GraphWrite,
  fields: Pick<Entity, 'name' | 'canonicalName' | 'entityType' | 'description'>,
): Entity {
  return {
    ...fields,
    ...unarchived,
    id: newId(),
    agentId,
    mentions: 0,
    pinned: 0,
    pinnedAt: null,
    sourceRoot: null,
    proposalId,
    createdAt: at,
    updatedAt: at,
    withheldAt: null,
  }
}

/** Sets fields of one entity. Returns the changed row. */
export async function setEntity(
  write: GraphWrite,
  entity: Entity,
  set: Partial<Entity>,
): Promise<Entity> {
  const changed = { ...set, updatedAt: write.at }
  await updateRows(write, { table: 'entities', rows: [entity] }, changed)
  write.touched.entities.add(entity.id)
  return { ...entity, ...changed }
}

export async function renameEntity(
  write: GraphWrite,
  entity: Entity,
  { newName, force }: { readonly newName: string; readonly force: boolean },
): Promise<Entity> {
  const { db, agentId, proposalId } = write
  const { name, canonicalName } = parseName(newName, 'new_name')
  assertUnpinned(entity, force)
  if (name === entity.name) return entity
  if (canonicalName !== entity.canonicalName) {
    assertName(name)
    const named = await listNamed(db, agentId, canonicalName)
    const aliased = await findByAlias(db, agentId, canonicalName)
    if (named.length > 0 || (aliased && aliased.id !== entity.id))
      throw graphRefusal('entity_exists')
    await archiveAliasNamed(write, entity.id, canonicalName)
  }
  const renamed = await setEntity(write, entity, { name, canonicalName, proposalId })
  const page = { entityId: entity.id, after: '', limit: maxProjections + 1 }
  for (const id of await listProjectedIds(db, page)) write.touched.renamed.add(id)
  await cite(write, { type: 'entity', id: entity.id, entityIds: [entity.id] })
  return renamed
}

/** An alias never equals the name of its entity. */
async function archiveAliasNamed(write: GraphWrite, entityId: string, canonicalName: string) {
  const aliases = await listAliases(write.db, write.agentId, entityId)
  const equal = aliases.filter(
    ({ canonicalAlias, status }) => canonicalAlias === canonicalName && status === 'active',
  )
  const archived = { status: 'archived', updatedAt: write.at } as const
  await updateRows(write, { table: 'entityAliases', rows: equal }, archived)
}

export function assertUnpinned({ id, pinned, sourceRoot }: Entity, force: boolean): void {
  assertOwnRow({ id, sourceRoot })
  if (pinned && !force) throw graphRefusal('entity_protected', { id })
}

/** Source indexing alone changes the entities of sources. */
export function assertOwnRow({ id, sourceRoot }: Pick<Entity, 'id' | 'sourceRoot'>): void {
  if (sourceRoot !== null) throw graphRefusal('source_owned', { id })
}

export async function pinEntity(
  write: GraphWrite,
  entity: Entity,
  pinned: boolean,
): Promise<Entity> {
  const { at, proposalId } = write
  if ((entity.pinned === 1) === pinned) return entity
  const set = { pinned: pinned ? 1 : 0, pinnedAt: pinned ? at : null, proposalId } as const
  return setEntity(write, entity, set)
}
