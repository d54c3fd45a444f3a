import type { z } from 'zod'
import type { Db } from '../../../kernel/db/database.ts'
import type { Entity } from '../entity.ts'
import { readEvidence } from '../evidence/citations.ts'
import { toCanonicalName } from '../name.ts'
import { countOfEntities } from '../store/counts.ts'
import { type EntityPage, listEntities } from '../store/search-names.ts'
import { type entitiesReply, type entityReply, toEntityRecord } from './replies.ts'

interface ListRequest extends Omit<EntityPage, 'canonicalPart'> {
  readonly text: string | undefined
}

export async function readEntities(
  db: Db,
  { text, ...page }: ListRequest,
): Promise<z.input<typeof entitiesReply>> {
  const { limit, offset } = page
  const canonicalPart = text === undefined ? undefined : toCanonicalName(text)
  const entities = await listEntities(db, { ...page, canonicalPart })
  const ids = entities.map(({ id }) => id)
  const [countsOf, evidenceOf] = await Promise.all([
    countOfEntities(db, ids),
    readEvidence(db, 'entity', ids),
  ])
  const items = entities.map((entity) => ({
    entity: toEntityRecord(entity, evidenceOf(entity.id)),
    ...toStructure(countsOf(entity.id)),
  }))
  return { items, limit, offset }
}

type Counts = ReturnType<Awaited<ReturnType<typeof countOfEntities>>>

function toStructure({ aspectCount, attributeCount, constraintCount, incoming, outgoing }: Counts) {
  return { aspectCount, attributeCount, constraintCount, dependencyCount: incoming + outgoing }
}

export async function readDetail(db: Db, entity: Entity): Promise<z.input<typeof entityReply>> {
  const [countsOf, described] = await Promise.all([
    countOfEntities(db, [entity.id]),
    describeEntity(db, entity),
  ])
  const counts = countsOf(entity.id)
  const structure = toStructure(counts)
  return {
    entity: described,
    ...structure,
    structuralDensity: structure,
    incomingDependencyCount: counts.incoming,
    outgoingDependencyCount: counts.outgoing,
  }
}

/** The record of an entity with its evidence. */
export async function describeEntity(db: Db, entity: Entity) {
  const evidenceOf = await readEvidence(db, 'entity', [entity.id])
  return toEntityRecord(entity, evidenceOf(entity.id))
}
