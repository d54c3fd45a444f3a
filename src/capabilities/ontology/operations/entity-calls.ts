import type { Caller } from '../../../kernel/auth/caller.ts'
import { redactContent } from '../../../kernel/redaction/redact-content.ts'
import type { Alias } from '../../knowledge/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import { applySingle } from '../proposals/calls.ts'

interface EntityCall {
  readonly id: string
  readonly operation: string
  readonly body: Readonly<Record<string, unknown>> & {
    readonly actor?: string | undefined
    readonly dry_run?: boolean | undefined
  }
}

const idFields: Readonly<Record<string, string>> = {
  merge_entities: 'target_id',
  pin_claim: 'attribute_id',
  unpin_claim: 'attribute_id',
}

/** Applies an operation on the entity or claim of a path, and returns its result. */
export async function changeEntity(
  needs: OntologyNeeds,
  caller: Caller,
  { id, operation, body }: EntityCall,
): Promise<never> {
  const { actor, dry_run: dryRun = false, agentId: _, agent_id: __, ...fields } = body
  const { value } = redactContent(fields, needs.secretPolicy())
  const payload = { ...value, [idFields[operation] ?? 'entity_id']: id }
  const source = { sourceKind: null, sourceId: null, sourcePath: null, sourceRoot: null }
  const request = { operation, payload, evidence: [], confidence: undefined, source }
  const operations = [{ ...request, rationale: '', risk: null }]
  const { item } = await applySingle(needs, caller, { operations, actor, dryRun })
  return { ...item.result, dryRun } as never
}

interface AliasFilter {
  readonly agentId: string
  readonly id: string
  readonly status: Alias['status'] | 'all'
}

export async function listEntityAliases(
  { db, knowledge: { write } }: Pick<OntologyNeeds, 'db' | 'knowledge'>,
  { agentId, id, status }: AliasFilter,
): Promise<{ readonly items: readonly Alias[] }> {
  const entity = await write.selectEntity(db, agentId, { id })
  const aliases = await write.listAliases(db, agentId, entity.id)
  const items = aliases.filter((alias) => status === 'all' || alias.status === status)
  return { items }
}
