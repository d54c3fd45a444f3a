/** A thing that claims are made about, in its stored format. */
export interface Entity {
  readonly id: string
  readonly agentId: string
  readonly name: string
  readonly canonicalName: string
  readonly entityType: string
  readonly description: string | null
  /** Memories that cite or name the entity. */
  readonly mentions: number
  readonly pinned: 0 | 1
  readonly pinnedAt: string | null
  readonly status: 'active' | 'archived'
  /** Set for entities of source indexing. */
  readonly sourceRoot: string | null
  readonly archivedAt: string | null
  readonly archivedBy: string | null
  readonly archiveReason: string | null
  readonly proposalId: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Set while all evidence is forgotten. */
  readonly withheldAt: string | null
}

/** Another name of an entity. */
export interface Alias {
  readonly id: string
  readonly agentId: string
  readonly entityId: string
  readonly alias: string
  readonly canonicalAlias: string
  readonly confidence: number
  readonly source: string
  readonly status: 'active' | 'archived'
  readonly createdAt: string
  readonly updatedAt: string
  readonly withheldAt: string | null
}

const entityTypes: ReadonlySet<string> = new Set(
  `person project system tool concept skill task source artifact agent policy action workflow event
  object_type interface observation claim_slot claim_value unknown
  organization product document place`.split(/\s+/),
)

export const defaultEntityType = 'unknown'

/** `Object Type` is `object_type`. */
export function toEntityType(input: string): string {
  return input
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
}

/** The ids of rows that repeat what sources say. Source indexing alone writes these. */
export function isSourceId(id: string): boolean {
  return id.startsWith('src_')
}

/** Types that only source indexing may write are no entity types of requests. */
export function isEntityType(type: string): boolean {
  return entityTypes.has(type)
}

/** The type if it is an accepted one. */
export function toKnownType(input: string | undefined): string | undefined {
  const type = toEntityType(input ?? '')
  return isEntityType(type) ? type : undefined
}

export function listEntityTypes(): readonly string[] {
  return [...entityTypes]
}
