import { createRefusals } from '../../../kernel/errors/refusal.ts'

/** Why a change of the graph is refused. The default kind is `conflict`. */
const refusals = {
  ambiguous_name: 'Several entities have this name. Use an id.',
  aspect_exists: 'Another aspect of the entity has this name.',
  changed_since: 'Rows changed since the operation. Undo the later changes first.',
  claim_protected: 'The claim is pinned or a constraint. Pass force=true.',
  entity_exists: 'Another entity has this name.',
  entity_protected: 'The entity is pinned. Pass force=true.',
  link_exists: 'Another link has this source, target and type.',
  source_owned: 'Source indexing owns the entity.',
  type_mismatch: 'The entities have different types. Pass force=true.',
  not_found: 'Entity not found',
  too_large: 'More than 5000 claims and links would move. Split or merge in parts.',
  too_many: 'The limit of this list is reached.',
} as const

export const graphRefusal = createRefusals(refusals, { not_found: 'not_found' })
