import { toCanonicalName } from '../../knowledge/index.ts'
import type { ParsedOperation } from '../check/parse-operations.ts'
import type { CurrentClaim } from '../rules/statement.ts'

/** Fields that a model may set. It cannot force, pin, or hide anything. */
const allowed: ReadonlySet<string> = new Set(
  `entity entity_id entity_type name new_name aspect aspect_id group_key claim_key value new_value
  old_value attribute_id review_after source_entity source_entity_id target_entity target_entity_id
  target target_id sources source_ids link_type link_id dependency_id reason`.split(/\s+/),
)
const policyFields: ReadonlySet<string> = new Set(['kind', 'content'])

export type Payload = Readonly<Record<string, unknown>>

/** The payload of the graph in one spelling, with allowed fields only. */
export function toStagedPayload({ operation, payload, request }: ParsedOperation): Payload {
  const fields = Object.entries(request?.payload ?? payload).map(
    ([name, value]) => [toSnakeCase(name), value] as const,
  )
  if (!request) return payload
  const isAllowed = (name: string) =>
    allowed.has(name) || (operation === 'create_policy' && policyFields.has(name))
  return Object.fromEntries(fields.filter(([name]) => isAllowed(name)))
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function readText(payload: Payload, ...names: readonly string[]): string {
  for (const name of names) {
    const value = payload[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return ''
}

export const claimWrites: ReadonlySet<string> = new Set([
  'add_claim_value',
  'set_claim_value',
  'supersede_claim_value',
])
/** Operations that remove or fold entities and aspects. */
export const structureRemovals: ReadonlySet<string> = new Set([
  'archive_entity',
  'archive_aspect',
  'merge_entities',
])

export interface NamedEntity {
  readonly id: string
  readonly name: string
  readonly aliases: readonly string[]
}

/** The names of the graph, by id and by name or alias. */
export function indexEntities(entities: readonly NamedEntity[]) {
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const byName = new Map<string, NamedEntity>()
  for (const entity of entities)
    for (const name of [...entity.aliases, entity.name]) byName.set(toCanonicalName(name), entity)
  return {
    count: entities.length,
    find: (id: string, name: string): NamedEntity | undefined =>
      byId.get(id) ?? byName.get(toCanonicalName(name)),
  }
}

export type EntityIndex = ReturnType<typeof indexEntities>

/** The active values that an operation replaces or ends. */
export function listReplacedClaims(
  operation: string,
  payload: Payload,
  claims: readonly CurrentClaim[],
): CurrentClaim[] {
  const id = readText(payload, 'attribute_id')
  if (id !== '') return claims.filter(({ attributeId }) => attributeId === id)
  if (operation !== 'set_claim_value' && operation !== 'supersede_claim_value') return []
  const aspect = toCanonicalName(readText(payload, 'aspect'))
  const [key, old] = [readText(payload, 'claim_key'), readText(payload, 'old_value')]
  return claims.filter(
    (claim) =>
      claim.status === 'active' &&
      claim.aspect === aspect &&
      claim.claimKey === key &&
      (old === '' || claim.value === old),
  )
}
