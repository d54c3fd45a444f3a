import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Estimated } from '../budgets/budget-guard.ts'
import { exhaustedRefusal } from '../budgets/windows.ts'
import type { InferenceConfig } from '../config/config.ts'
import { type Candidate, type Decided, decide, isObservedOnly } from '../decision/decide.ts'
import type { RouteRequest } from '../decision/request.ts'
import { RouterError } from '../decision/router-error.ts'
import type { Attempt, Router } from './router.ts'

export interface Plan extends Decided {
  readonly config: InferenceConfig
  /** Targets that an observation blocks, as failed attempts. */
  readonly skipped: readonly Attempt[]
  /** The selected target, then its fallbacks. */
  readonly refs: readonly string[]
}

export interface PlanOptions extends Estimated {
  /** Rebuilds the snapshot of the targets. */
  readonly refresh?: boolean | undefined
}

/** Refuses `inference_disabled` and `budget_exhausted`; throws a `RouterError`. */
export async function plan(
  router: Pick<Router, 'host' | 'settings' | 'states' | 'budgets'>,
  request: RouteRequest,
  { refresh = false, ...estimated }: PlanOptions,
): Promise<Plan> {
  const config = router.settings.current()
  assertEnabled(config)
  const [budgetBlocks] = await Promise.all([
    router.budgets.readGates(config, request, estimated),
    router.states.update(config, refresh),
  ])
  const state = (ref: string) => router.states.read(config, ref)
  const now = router.host.now()
  const decided = withBudgetRefusal({ config, now }, () =>
    decide({ config, request, state, budgetBlocks }),
  )
  const { targetRef, fallbackTargetRefs, trace } = decided.decision
  const skipped = trace.candidates.filter(isObservedOnly).map(toSkipped)
  return { ...decided, config, skipped, refs: [targetRef, ...fallbackTargetRefs] }
}

function assertEnabled({ enabled }: InferenceConfig): void {
  if (enabled) return
  const message = 'No model is configured. Add one with `reverie inference add`.'
  throw new Refusal('unavailable', 'inference_disabled', message)
}

function toSkipped({ targetRef, blockedBy }: Candidate): Attempt {
  return { targetRef, ok: false, durationMs: 0, error: `Blocked by ${blockedBy.join(', ')}.` }
}

interface BudgetTime {
  readonly config: InferenceConfig
  readonly now: Date
}

function withBudgetRefusal({ config, now }: BudgetTime, run: () => Decided): Decided {
  try {
    return run()
  } catch (error) {
    const ids = error instanceof RouterError ? listFullBudgets(error) : []
    throw ids.length > 0 ? exhaustedRefusal({ budgets: config.budgets, ids, now }) : error
  }
}

/** Not empty if a target is blocked by nothing but full budgets. */
function listFullBudgets({ details }: RouterError): string[] {
  const candidates: readonly Candidate[] = Object(details['trace']).candidates ?? []
  const full = candidates.filter(
    ({ blockedBy }) =>
      blockedBy.length > 0 && blockedBy.every((gate) => gate.startsWith('budget:')),
  )
  const gates = full.flatMap(({ blockedBy }) => blockedBy)
  return [...new Set(gates.map((gate) => gate.slice('budget:'.length)))]
}
