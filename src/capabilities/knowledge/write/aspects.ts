import { type Aspect, defaultWeight, maxAspects } from '../aspect.ts'
import type { Entity } from '../entity.ts'
import { parseName } from '../name.ts'
import { countActiveAspects, findAnyAspect } from '../store/entities.ts'
import { insertRows, updateRows } from '../store/images.ts'
import { cite } from './cite.ts'
import { unarchived } from './entities.ts'
import type { GraphWrite } from './graph-write.ts'
import { graphRefusal } from './refusals.ts'

interface AspectInput {
  readonly name: string
  readonly weight?: number | undefined
}

/** The aspect with this name; an archived one returns. */
export async function upsertAspect(
  write: GraphWrite,
  entity: Entity,
  input: AspectInput,
): Promise<{ readonly row: Aspect; readonly created: boolean }> {
  const { db, at, proposalId } = write
  const { name, canonicalName } = parseName(input.name, 'aspect')
  const { weight } = input
  const isFirst = write.childless.delete(entity.id)
  const known = isFirst ? undefined : await findKnown(write, entity.id, canonicalName)
  if (known?.status === 'active' && known.withheldAt === null) {
    const row =
      weight === undefined || weight === known.weight
        ? known
        : await setAspect(write, known, { weight, proposalId })
    return { row, created: false }
  }
  if (!isFirst && (await countActiveAspects(db, entity.id)) >= maxAspects)
    throw graphRefusal('too_many', { limit: maxAspects })
  const fields = { ...unarchived, name, proposalId, updatedAt: at, withheldAt: null }
  const row = known
    ? await setAspect(write, known, { ...fields, ...(weight !== undefined && { weight }) })
    : newAspect(write, { entityId: entity.id, name, canonicalName, weight })
  if (!known) {
    await insertRows(write, 'entityAspects', [row])
    write.childless.add(row.id)
  }
  await cite(write, { type: 'aspect', id: row.id, entityIds: [entity.id] }, !known)
  return { row, created: true }
}

function findKnown(
  { db, known }: GraphWrite,
  entityId: string,
  canonicalName: string,
): Aspect | Promise<Aspect | undefined> {
  return known?.findAspect(entityId, canonicalName) ?? findAnyAspect(db, entityId, canonicalName)
}

function newAspect(
  { agentId, at, newId, proposalId }: GraphWrite,
  fields: Pick<Aspect, 'entityId' | 'name' | 'canonicalName'> & {
    readonly weight: number | undefined
  },
): Aspect {
  return {
    ...fields,
    ...unarchived,
    id: newId(),
    agentId,
    weight: fields.weight ?? defaultWeight,
    proposalId,
    createdAt: at,
    updatedAt: at,
    withheldAt: null,
  }
}

async function setAspect(write: GraphWrite, aspect: Aspect, set: Partial<Aspect>): Promise<Aspect> {
  const changed = { ...set, updatedAt: write.at }
  await updateRows(write, { table: 'entityAspects', rows: [aspect] }, changed)
  return { ...aspect, ...changed }
}

export async function renameAspect(
  write: GraphWrite,
  aspect: Aspect,
  newName: string,
): Promise<Aspect> {
  const { name, canonicalName } = parseName(newName, 'new_name')
  const other = await findAnyAspect(write.db, aspect.entityId, canonicalName)
  if (other && other.id !== aspect.id) throw graphRefusal('aspect_exists')
  const { proposalId } = write
  return setAspect(write, aspect, { name, canonicalName, proposalId })
}
