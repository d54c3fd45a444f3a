import type { Db } from '../../../kernel/db/database.ts'
import { notFound } from '../../../kernel/errors/refusal.ts'
import type { Aspect } from '../aspect.ts'
import { defaultGroup } from '../claim.ts'
import type { Entity } from '../entity.ts'
import { toCanonicalKey, toCanonicalName } from '../name.ts'
import { findAspect, findByAlias, listNamed } from '../store/entities.ts'
import { findByPart } from '../store/search-names.ts'

interface Owner {
  readonly agentId: string
}

/** For reads: an equal name, then an equal alias, a beginning and a part of a name. */
export async function resolveEntity(db: Db, { agentId }: Owner, name: string): Promise<Entity> {
  const entity = await findByName(db, agentId, name)
  if (!entity) throw notFound('Entity not found')
  return entity
}

export async function findByName(
  db: Db,
  agentId: string,
  name: string,
): Promise<Entity | undefined> {
  const canonicalName = toCanonicalName(name)
  if (canonicalName === '') return undefined
  const [named] = await listNamed(db, agentId, canonicalName)
  return (
    named ??
    (await findByAlias(db, agentId, canonicalName)) ??
    (await findByPart(db, agentId, canonicalName))
  )
}

interface PathNames {
  readonly entity: string
  readonly aspect: string
}

export async function resolveAspect(
  db: Db,
  owner: Owner,
  names: PathNames,
): Promise<{ readonly entity: Entity; readonly aspect: Aspect }> {
  const { agentId } = owner
  const entity = await findByName(db, agentId, names.entity)
  const canonicalName = toCanonicalName(names.aspect)
  const aspect = entity && (await findAspect(db, agentId, { entityId: entity.id, canonicalName }))
  if (!entity || !aspect) throw notFound('Entity or aspect not found')
  return { entity, aspect }
}

export function toGroupKey(group: string | undefined): string {
  return group === undefined ? defaultGroup : toCanonicalKey(group)
}
