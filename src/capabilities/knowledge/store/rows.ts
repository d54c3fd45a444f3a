import type { Db } from '../../../kernel/db/database.ts'
import type { Aspect } from '../aspect.ts'
import type { Citation, Claim } from '../claim.ts'
import type { Alias, Entity } from '../entity.ts'
import type { Link } from '../link.ts'

/** A memory that cites or names an entity. */
export interface Mention {
  readonly memoryId: string
  readonly entityId: string
  readonly agentId: string
  readonly origin: 'citation' | 'name'
  /** Set while the memory is forgotten. */
  readonly lostAt: string | null
}

interface NameRow {
  readonly agentId: string
  readonly phrase: string
  readonly entityId: string
  readonly kind: 'name' | 'alias'
}

interface WordRow {
  readonly agentId: string
  readonly word: string
  readonly entityId: string
}

/** How many links the entities of an agent have. */
export interface Degrees {
  readonly agentId: string
  readonly entities: number
  readonly p90: number
  readonly computedAt: string
}

/** An entity that source indexing has written. */
export interface SourceNode {
  readonly entityId: string
  readonly agentId: string
  readonly sourceId: string
  readonly generation: string
  readonly kind: 'source' | 'reference' | 'document'
}

/** A name by which links of the same source find a document. */
export interface SourceName {
  readonly agentId: string
  readonly sourceId: string
  readonly name: string
  /** 0: path, 1: file name, 2: alias. */
  readonly rank: number
  readonly entityId: string
}

/** The target of a link, resolved or not. */
export interface SourceTarget {
  readonly agentId: string
  readonly sourceId: string
  readonly entityId: string
  readonly target: string
  /** The last segment of the target. */
  readonly tail: string
}

export type Tables = {
  entities: Entity
  entityAliases: Alias
  entityAspects: Aspect
  entityAttributes: Claim
  entityDependencies: Link
  knowledgeCitations: Citation
  memoryEntityMentions: Mention
  entityNames: NameRow
  entityNameWords: WordRow
  knowledgeDegrees: Degrees
  knowledgeSourceNodes: SourceNode
  knowledgeSourceNames: SourceName
  knowledgeSourceTargets: SourceTarget
}

export const tables = (db: Db) => db.withTables<Tables>()
