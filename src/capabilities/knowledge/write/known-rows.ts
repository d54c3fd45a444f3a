import type { Db } from '../../../kernel/db/database.ts'
import type { Aspect } from '../aspect.ts'
import type { Entity } from '../entity.ts'
import { toCanonicalName } from '../name.ts'
import { listAspectsNamed, listOwnNamed } from '../store/entities.ts'
import type { Change } from '../store/images.ts'

/** Active entities and aspects, read once at the start of a batch. */
export interface KnownRows {
  findEntity(canonicalName: string): Entity | undefined
  findAspect(entityId: string, canonicalName: string): Aspect | undefined
  /** Drops all rows if the changes of an operation have updated one. */
  invalidateBy(changes: readonly Change[]): void
}

interface Names {
  readonly entities: readonly string[]
  readonly aspects: readonly string[]
}

const tables: readonly Change['table'][] = ['entities', 'entityAspects']

export async function readKnownRows(db: Db, agentId: string, names: Names): Promise<KnownRows> {
  const rows = await listOwnNamed(db, agentId, toCanonicalNames(names.entities))
  const entities = new Map(rows.map((row) => [row.canonicalName, row]))
  const ids = rows.map(({ id }) => id)
  const aspectRows = await listAspectsNamed(db, ids, toCanonicalNames(names.aspects))
  const aspects = new Map(aspectRows.map((row) => [`${row.entityId} ${row.canonicalName}`, row]))
  return {
    findEntity: (canonicalName) => entities.get(canonicalName),
    findAspect: (entityId, canonicalName) => aspects.get(`${entityId} ${canonicalName}`),
    invalidateBy: (changes) => {
      const isUpdated = changes.some(({ table, before }) => before && tables.includes(table))
      if (!isUpdated) return
      entities.clear()
      aspects.clear()
    },
  }
}

function toCanonicalNames(names: readonly string[]): readonly string[] {
  return [...new Set(names.map(toCanonicalName))]
}
