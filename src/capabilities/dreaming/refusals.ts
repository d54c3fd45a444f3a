import { createRefusals, notFound, Refusal } from '../../kernel/errors/refusal.ts'

/** Why a pass is not started, decided on or undone. The default kind is `conflict`. */
const refusals = {
  pass_running: 'A dreaming pass is already running',
  not_running: 'Dreaming worker not running',
  no_provider: 'No model is ready. Add one: reverie inference add',
  not_planned: 'The pass has no operations that wait for a decision.',
  plan_expired: 'The plan is older than 7 days. Run a new pass.',
  not_applied: 'The pass has no applied operations.',
  already_undone: 'The operations of the pass are already undone.',
  changed_since: 'Rows changed after the pass. Pass `partial` to undo the other operations.',
} as const

export const dreamingRefusal = createRefusals(refusals, {
  not_running: 'unavailable',
  no_provider: 'unavailable',
})

export function passNotFound(): Refusal {
  return notFound('Dreaming pass not found')
}

export function passEnded(): Refusal {
  return new Refusal('conflict', 'not_running', 'The pass is not running.')
}

export function exclusionNotFound(): Refusal {
  return notFound('Dreaming evidence exclusion not found')
}
