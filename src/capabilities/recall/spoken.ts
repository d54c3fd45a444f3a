import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { sessionKeyOf } from './filters.ts'
import type { RecallNeeds, Spoken } from './needs.ts'
import { type Candidate, toSpokenRow } from './result.ts'
import type { RecallRequest } from './schemas.ts'
import type { TemporalIntent } from './temporal-intent.ts'
import { coverageOf, readWords } from './words.ts'

const mostSessions = 3
/** A session that holds fewer of the words asked for says little about them. */
const leastCoverage = 0.5
/** What was said is no memory: it never counts for more. */
const highestScore = 0.5

type SpokenNeeds = Pick<RecallNeeds, 'transcripts' | 'log'>

interface Asked {
  readonly request: RecallRequest
  /** The answers so far, the best first. */
  readonly found: readonly Candidate[]
  /** The time that they tell of, if any. */
  readonly during: TemporalIntent | undefined
}

/** Behind the answers, when all is asked for or there are none: what was said in the agent's own sessions. */
export async function withSpoken(
  needs: SpokenNeeds,
  caller: Caller,
  { request, found, during }: Asked,
): Promise<readonly Candidate[]> {
  const isWanted = request.expand || found.length === 0
  if (!isWanted || isOfMemoriesAlone(request) || isOutside(caller, request)) return found
  if (during && !during.facets.includes('session')) return found
  const words = readWords(during ? during.contentQuery : request.query)
  const asked = [...words.tokens, ...words.pairs]
  if (asked.length === 0) return found
  const said = await searchSpoken(needs, caller, { request, during, query: asked.join(' ') })
  const lowest = found.at(-1)?.row.score ?? highestScore
  const rows = said
    .map((one) => ({ one, coverage: coverageOf(words, one.text) }))
    .filter(({ one, coverage }) => coverage >= leastCoverage && isWithin(request, one))
    .map(({ one, coverage }) =>
      toSpokenRow(one, Math.min(lowest, coverage * highestScore), request.explain),
    )
  return [...found, ...rows.map((row) => ({ row, memory: undefined }))]
}

/** What a transcript has none of cannot be asked of it. */
function isOfMemoriesAlone(request: RecallRequest): boolean {
  const { type, who, tags, pinned, importanceMin, scope, within, asOf } = request
  const filters = [type, who, pinned, importanceMin, asOf]
  const isFiltered = filters.some((filter) => filter !== undefined) || tags.length > 0
  return isFiltered || scope !== null || within !== 'global'
}

function isOutside({ scope }: Caller, { project = scope.project }: RecallRequest): boolean {
  return scope.project !== undefined && project !== scope.project
}

function isWithin({ since = '', until }: RecallRequest, { updatedAt }: Spoken): boolean {
  return updatedAt >= since && (until === undefined || updatedAt <= until)
}

async function searchSpoken(
  { transcripts, log }: SpokenNeeds,
  caller: Caller,
  { request, during, query }: Omit<Asked, 'found'> & { readonly query: string },
): Promise<readonly Spoken[]> {
  try {
    return await transcripts.search(caller, {
      ...{ query, project: request.project, limit: mostSessions },
      currentSessionKey: sessionKeyOf(caller, request),
      during: during && { start: during.start, end: during.end },
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    // An addition to the answer: without it the answer stands.
    log.warn({ err: error }, 'the transcripts are out of reach')
    return []
  }
}
