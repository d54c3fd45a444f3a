import { createRefusals } from '../../kernel/errors/refusal.ts'

/** Why a change is refused. The default kind is `conflict`. */
const refusals = {
  autonomous_force_denied: 'Agents and pipelines cannot use force.',
  evidence_required: 'No evidence resolves to a source of this agent. Cite a memory or a session.',
  quote_not_found: 'The quote does not occur in its source. Copy it exactly.',
  not_pending: 'The proposal is not pending.',
  not_applied: 'The operation is not applied, or is already undone.',
  undo_expired: 'The images of the operation have expired. Change the rows instead.',
  too_many: 'The limit of this list is reached.',
  assertion_not_active: 'The assertion is not active.',
  subject_differs: 'Supersede cannot change assertion subject entity.',
  claim_of_other_entity: 'Claim attribute belongs to a different entity.',
} as const

export const ontologyRefusal = createRefusals(refusals, { autonomous_force_denied: 'forbidden' })
