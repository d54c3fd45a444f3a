import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { RecallNeeds, TranscriptHit } from './needs.ts'
import { type Candidate, toTranscriptRow } from './result.ts'
import { type RecallRequest, sessionKeyOf } from './schemas.ts'

import type { TemporalIntent } from './temporal-intent.ts'
import { coverageOf, parseQueryWords } from './words.ts'

const maxSessions = 3
/** Sessions with a lower term coverage are dropped. */
const minCoverage = 0.5
/** Transcripts are searched too if the best row scores less. */
const minSureScore = 0.6
/** Transcript hits rank below memories. */
const maxTranscriptScore = 0.5

type TranscriptNeeds = Pick<RecallNeeds, 'transcripts' | 'log'>

interface TranscriptQuery {
  readonly request: RecallRequest
  /** The results so far, best first. */
  readonly candidates: readonly Candidate[]
  /** The time range of the query, if any. */
  readonly during: TemporalIntent | undefined
}

/** Appends hits in the agent's own transcripts if `expand` is set or the other results are weak or none. */
export async function appendTranscriptHits(
  needs: TranscriptNeeds,
  caller: Caller,
  { request, candidates, during }: TranscriptQuery,
): Promise<readonly Candidate[]> {
  const isWanted = request.expand || isWeak(candidates, during)
  if (!isWanted || hasMemoryOnlyFilter(request) || isOutsideProject(caller, request))
    return candidates
  if (during && !during.facets.includes('session')) return candidates
  const words = parseQueryWords(during ? during.contentQuery : request.query)
  const terms = [...words.tokens, ...words.pairs]
  if (terms.length === 0) return candidates
  const hits = await searchTranscripts(needs, caller, { request, during, query: terms.join(' ') })
  const lowestScore = candidates.at(-1)?.row.score ?? maxTranscriptScore
  const rows = hits
    .map((hit) => ({ hit, coverage: coverageOf(words, hit.text) }))
    .filter(({ hit, coverage }) => coverage >= minCoverage && isInTimeRange(request, hit))
    .map(({ hit, coverage }) =>
      toTranscriptRow(hit, Math.min(lowestScore, coverage * maxTranscriptScore), request.explain),
    )
  return [...candidates, ...rows.map((row) => ({ row, memory: undefined }))]
}

/** Rows of a time range have no score that measures relevance. */
function isWeak(candidates: readonly Candidate[], during: TemporalIntent | undefined): boolean {
  const best = Math.max(0, ...candidates.map(({ row }) => row.score))
  return candidates.length === 0 || (!during && best < minSureScore)
}

/** Transcripts lack the fields of these filters. */
function hasMemoryOnlyFilter(request: RecallRequest): boolean {
  const { type, who, tags, pinned, importanceMin, scope, within, asOf } = request
  const filters = [type, who, pinned, importanceMin, asOf]
  const isFiltered = filters.some((filter) => filter !== undefined) || tags.length > 0
  return isFiltered || scope !== null || within !== 'global'
}

function isOutsideProject({ scope }: Caller, { project = scope.project }: RecallRequest): boolean {
  return scope.project !== undefined && project !== scope.project
}

function isInTimeRange(
  { since = '', until }: RecallRequest,
  { updatedAt }: TranscriptHit,
): boolean {
  return updatedAt >= since && (until === undefined || updatedAt <= until)
}

async function searchTranscripts(
  { transcripts, log }: TranscriptNeeds,
  caller: Caller,
  { request, during, query }: Omit<TranscriptQuery, 'candidates'> & { readonly query: string },
): Promise<readonly TranscriptHit[]> {
  try {
    return await transcripts.search(caller, {
      query,
      project: request.project,
      limit: maxSessions,
      currentSessionKey: sessionKeyOf(caller, request),
      excludedSessions: request.excludedSessions,
      during: during && { start: during.start, end: during.end },
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    // Transcript hits are optional.
    log.warn({ err: error }, 'transcript search failed')
    return []
  }
}
