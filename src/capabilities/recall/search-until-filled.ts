import type { Caller } from '../../kernel/auth/caller.ts'
import { sessionKeyOf } from './filters.ts'
import type { RankedAnswer } from './hybrid-search.ts'
import { countUnseen } from './ledger.ts'
import type { RecallNeeds } from './needs.ts'
import type { RecallRequest } from './schemas.ts'

/** Upper bound of candidates of one engine search. */
export const maxCandidates = 300

interface PagedSearch<Answer> {
  readonly request: RecallRequest
  /** Maximum number of results. */
  readonly limit: number
  /** Number of candidates of the first search. */
  readonly initialLimit: number
  readonly search: (candidates: number) => Promise<Answer>
}

/** Doubles the number of candidates until enough of them are new to the session. */
export async function searchUntilFilled<Answer extends RankedAnswer>(
  needs: Pick<RecallNeeds, 'db' | 'log'>,
  caller: Caller,
  { request, limit, initialLimit, search }: PagedSearch<Answer>,
): Promise<Answer> {
  const sessionKey = sessionKeyOf(caller, request)
  const context = { sessionKey: sessionKey ?? '', agentId: caller.agentId }
  const { minScore = 0 } = request
  let searchLimit = initialLimit
  for (;;) {
    const result = await search(searchLimit)
    if (!sessionKey || request.includeRecalled || searchLimit >= maxCandidates) return result
    const { candidates, mayHaveMore } = result
    if (!mayHaveMore || candidates.some(({ row }) => row.score < minScore)) return result
    if ((await countUnseen(needs, candidates, context)) >= limit) return result
    searchLimit = Math.min(maxCandidates, 2 * searchLimit)
  }
}
