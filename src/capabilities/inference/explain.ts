import type { RouteDecision } from './decision/decide.ts'
import type { RouteRequest } from './decision/request.ts'
import { inferenceRouted } from './events.ts'
import { plan } from './run/plan.ts'
import { type Recorded, toRecord } from './run/record.ts'
import type { Router } from './run/router.ts'

/** Decides without a call. Throws and refuses as `execute`. */
export async function explain(
  router: Router,
  request: RouteRequest,
  refresh: boolean | undefined,
): Promise<RouteDecision> {
  const { events, host } = router
  const startedAt = host.now().getTime()
  const emit = (outcome: Partial<Recorded>) => {
    const recorded: Recorded = { surface: 'native', request, startedAt, ...outcome }
    events.emit(inferenceRouted, toRecord(recorded, host.now().getTime()))
  }
  try {
    const promptChars = (request.expectedInputTokens ?? 0) * 4
    const maxTokens = request.expectedOutputTokens
    const { decision, requirements } = await plan(router, request, {
      refresh,
      promptChars,
      maxTokens,
    })
    const { trace, targetRef: selectedTarget } = decision
    emit({ trace, selectedTarget, requirements })
    return decision
  } catch (error) {
    emit({ error })
    throw error
  }
}
