import { notFound } from '../../../kernel/errors/refusal.ts'
import { type Claim, type Entity, type GraphWrite, isSourceId } from '../../knowledge/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import type { Origin } from '../proposal.ts'
import type { Contradiction } from '../store/rows.ts'
import type { Fields } from './fields.ts'

export const selfMergeRule = 'an entity cannot be merged into itself'

/** The context of an operation. */
export interface OperationContext {
  readonly graph: OntologyNeeds['knowledge']['write']
  readonly write: GraphWrite
  /** Agents and pipelines have no force, and their late evidence is history. */
  readonly isAutomated: boolean
  /** Applies where the payload has no confidence. */
  readonly confidence: number | undefined
  readonly origin: Origin
  readonly contradictions: NewContradiction[]
}

export interface NewContradiction
  extends Pick<Contradiction, 'id' | 'attributeId' | 'otherId' | 'reason' | 'overlap'> {}

/** Reads its payload, changes the graph and returns its result. */
export interface Operation {
  /** Writes new words, so that automated writers need a source. */
  readonly isContent: boolean
  /** Has a route of its own. A proposal cannot have it. */
  readonly isAuditOnly?: boolean
  run(context: OperationContext, fields: Fields): Promise<Readonly<Record<string, unknown>>>
}

/** The entity that `name` or `name_id` selects. */
export async function selectEntity(
  { graph, write: { db, agentId } }: OperationContext,
  fields: Fields,
  name: string,
): Promise<Entity> {
  const id = fields.text(`${name}_id`)
  if (id !== undefined) return graph.selectEntity(db, agentId, { id })
  return graph.selectEntity(db, agentId, { name: fields.required(name) })
}

/** In any status, but none of source indexing. */
export async function selectClaim(
  { graph, write: { db, agentId } }: OperationContext,
  fields: Fields,
): Promise<Claim> {
  const claim = await graph.findClaim(db, agentId, fields.required('attribute_id', 'id'))
  if (!claim || isSourceId(claim.id)) throw notFound('Attribute not found')
  return claim
}

export function readArchive(fields: Fields) {
  return { reason: fields.text('reason') ?? null, force: fields.flag('force') }
}
