import type { Db } from '../../../kernel/db/database.ts'
import { notFound } from '../../../kernel/errors/refusal.ts'
import type { Aspect } from '../aspect.ts'
import type { Entity } from '../entity.ts'
import { toCanonicalName } from '../name.ts'
import { findAspect, findByAlias, findEntity, listNamed } from '../store/entities.ts'
import { graphRefusal } from './refusals.ts'

interface Selector {
  readonly id?: string | undefined
  readonly name?: string | undefined
}

/** For writes: an id, an equal name or an equal alias. Archived entities are not found. */
export async function selectEntity(
  db: Db,
  agentId: string,
  { id, name = '' }: Selector,
): Promise<Entity> {
  if (id !== undefined) {
    const entity = await findEntity(db, agentId, id)
    if (!entity || isOfSource(entity)) throw graphRefusal('not_found')
    return entity
  }
  const canonicalName = toCanonicalName(name)
  const named = await listNamed(db, agentId, canonicalName)
  if (named.length > 1) throw graphRefusal('ambiguous_name')
  const entity = named[0] ?? (await findByAlias(db, agentId, canonicalName))
  if (!entity || isOfSource(entity)) throw graphRefusal('not_found')
  return entity
}

/** Source indexing alone writes these entities. */
const isOfSource = ({ sourceRoot }: Entity) => sourceRoot !== null

/** An active aspect by its id or name. */
export async function selectAspect(
  db: Db,
  { agentId, id: entityId }: Entity,
  { id, name = '' }: Selector,
): Promise<Aspect> {
  const by = id === undefined ? { canonicalName: toCanonicalName(name) } : { id }
  const aspect = await findAspect(db, agentId, { entityId, ...by })
  if (!aspect) throw notFound('Aspect not found')
  return aspect
}
