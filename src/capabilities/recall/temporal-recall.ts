import type { SearchRequest, TemporalFact } from '../memory/index.ts'
import { type Asked, find } from './find.ts'
import type { RecallNeeds } from './needs.ts'
import { type Candidate, type Happening, toTemporalRow } from './result.ts'
import type { TemporalIntent } from './temporal-intent.ts'
import { coverageOf, readWords } from './words.ts'

type TemporalNeeds = Pick<RecallNeeds, 'memory' | 'config' | 'host'>

/** What happened then; with words in the question, what of it they find. */
export async function recallTime(
  needs: TemporalNeeds,
  { intent, ...asked }: Omit<Asked, 'query'> & { readonly intent: TemporalIntent },
  request: SearchRequest,
): Promise<Candidate[]> {
  const words = readWords(intent.contentQuery)
  const hasWords = words.tokens.length + words.pairs.length > 0
  if (intent.mode === 'timeline' || !hasWords) return readTimeline(needs, intent, request)

  const filters = { ...request.filters, during: intent }
  const query = intent.contentQuery
  const found = await find(needs, { ...asked, query }, { ...request, filters })
  if (found.length > 0) return found
  const timeline = await readTimeline(needs, intent, request)
  return timeline.filter(({ row }) => coverageOf(words, row.content) > 0)
}

async function readTimeline(
  { memory: { search } }: TemporalNeeds,
  intent: TemporalIntent,
  request: SearchRequest,
): Promise<Candidate[]> {
  const { readScope, filters, limit } = request
  // What is not a memory has none of the fields that a filter or a token's project could narrow.
  const narrowed = search.hasFilter(filters) || filters.scope !== null || readScope.project !== null
  const collected = await Promise.all([
    search.listMemoryFacts(intent, request),
    narrowed ? [] : search.listOtherFacts(intent, { agentId: readScope.agentId, limit }),
    intent.facets.includes('captured') ? search.listCaptured(intent, request) : [],
  ])
  const happenings = collected.flat().map(toHappening).toSorted(byRank)
  const once = new Map(happenings.toReversed().map((happening) => [keyOf(happening), happening]))
  return happenings
    .filter((happening) => once.get(keyOf(happening)) === happening)
    .map((happening) => ({ row: toTemporalRow(happening), memory: happening.memory }))
}

function toHappening({ confidence, ...fact }: TemporalFact): Happening {
  return { ...fact, rank: Math.min(1, Math.max(0.1, confidence)) }
}

function byRank(a: Happening, b: Happening): number {
  if (a.rank !== b.rank) return b.rank - a.rank
  return b.startAt.localeCompare(a.startAt) || a.subjectType.localeCompare(b.subjectType)
}

function keyOf({ subjectType, subjectId, facet }: Happening): string {
  return `${subjectType} ${subjectId} ${facet}`
}
