import type { Caller } from '../../kernel/auth/caller.ts'
import { sessionKeyOf } from './filters.ts'
import type { FoundAnswer } from './find.ts'
import { countUntold } from './ledger.ts'
import type { RecallNeeds } from './needs.ts'
import type { RecallRequest } from './schemas.ts'

/** More than this the engine is not asked for. */
export const mostCandidates = 300

interface Depth<Answer> {
  readonly request: RecallRequest
  /** How many may be shown. */
  readonly limit: number
  /** How many candidates are asked for at first. */
  readonly first: number
  readonly ask: (candidates: number) => Promise<Answer>
}

/** Asks for twice as many while there are more to be had and the session knows too many of these. */
export async function askDeepEnough<Answer extends FoundAnswer>(
  needs: Pick<RecallNeeds, 'db' | 'log'>,
  caller: Caller,
  { request, limit, first, ask }: Depth<Answer>,
): Promise<Answer> {
  const sessionKey = sessionKeyOf(caller, request)
  const context = { sessionKey: sessionKey ?? '', agentId: caller.agentId }
  const { minScore = 0 } = request
  let depth = first
  for (;;) {
    const answer = await ask(depth)
    if (!sessionKey || request.includeRecalled || depth >= mostCandidates) return answer
    const { candidates, mayHaveMore } = answer
    if (!mayHaveMore || candidates.some(({ row }) => row.score < minScore)) return answer
    if ((await countUntold(needs, candidates, context)) >= limit) return answer
    depth = Math.min(mostCandidates, 2 * depth)
  }
}
