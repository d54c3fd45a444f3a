import type { SearchRequest, TemporalFact } from '../memory/index.ts'
import { listDays } from './day.ts'
import { type FindNeeds, type FoundAnswer, find } from './find.ts'
import type { Question } from './index-stages.ts'
import type { RecallNeeds } from './needs.ts'
import { type Candidate, type Happening, toTemporalRow } from './result.ts'
import { createSays, withoutDays } from './says.ts'
import { listSessionFacts } from './session-facts.ts'
import type { TemporalIntent } from './temporal-intent.ts'
import { readWords } from './words.ts'

type TimelineNeeds = FindNeeds & Pick<RecallNeeds, 'transcripts'>

export interface TimedAnswer extends FoundAnswer {
  /** The time that the answer tells of; absent where it tells of none. */
  readonly temporal?: TemporalIntent
}

/**
 * What happened then; with words in the question, what of it they find. Where that is nothing, a day
 * that was only mentioned is looked for like any other words: a text may tell of a day to come.
 */
export async function recallTime(
  needs: TimelineNeeds,
  asked: Question & { readonly intent: TemporalIntent },
  request: SearchRequest,
): Promise<TimedAnswer> {
  const { intent: temporal } = asked
  const happened = await recallRange(needs, asked, request)
  if (happened.candidates.length > 0 || temporal.source === 'request')
    return { ...happened, temporal }
  const mentioned = await findMentioned(needs, asked, request)
  return mentioned.candidates.length > 0 ? mentioned : { ...mentioned, temporal }
}

/** What a day is made of is found in any number, so that this alone is no answer. */
async function findMentioned(
  needs: FindNeeds,
  asked: Question & { readonly intent: TemporalIntent },
  request: SearchRequest,
): Promise<FoundAnswer> {
  const { contentQuery, originalQuery } = asked.intent
  const found = await find(needs, asked, request)
  const says = createSays(contentQuery, listDays(originalQuery))
  const hinted = found.candidates.some(({ row }) => row.source === 'hint')
    ? await listHinted(needs, withoutDays(contentQuery), request)
    : new Set()
  return keepMeant(found, (candidate) => {
    const { memory } = candidate
    const isSaid = memory !== undefined && (says(memory.content) || hinted.has(memory.id))
    return isSaid || isMatched(asked, candidate)
  })
}

function keepMeant(found: FoundAnswer, isMeant: (candidate: Candidate) => boolean): FoundAnswer {
  const candidates = found.candidates.filter(isMeant)
  const isHybrid = candidates.some(({ row }) => row.source === 'hybrid' || row.source === 'vector')
  return { ...found, candidates, method: isHybrid ? 'hybrid' : 'keyword' }
}

/** Whoever writes a keyword query says which words are meant. */
function isMatched({ keywordQuery }: Question, { row }: Candidate): boolean {
  return keywordQuery !== undefined && (row.source === 'keyword' || row.source === 'hybrid')
}

async function listHinted(
  { memory: { search } }: FindNeeds,
  words: string,
  request: SearchRequest,
): Promise<ReadonlySet<string>> {
  const found = await search.searchHintWords(readWords(words).tokens, request)
  return new Set(found.map(({ memory }) => memory.id))
}

async function recallRange(
  needs: TimelineNeeds,
  { intent, ...question }: Question & { readonly intent: TemporalIntent },
  request: SearchRequest,
): Promise<FoundAnswer> {
  const words = readWords(intent.contentQuery)
  const hasWords = words.tokens.length + words.pairs.length > 0
  const timeline = async () => {
    const candidates = await question.stopwatch.measure('timeline', () =>
      readTimeline(needs, { intent, explain: question.explain }, request),
    )
    const mayHaveMore = candidates.length >= request.limit
    return { candidates, mayHaveMore, method: 'keyword' as const, degradation: undefined }
  }
  if (intent.mode === 'timeline' || !hasWords) return timeline()

  const filters = { ...request.filters, during: intent }
  const query = intent.contentQuery
  const says = createSays(query)
  // Whoever is named in the question has said it.
  const isSaid = ({ row, memory }: Candidate) =>
    says(memory?.content ?? row.content) || says(row.who)
  const found = await find(needs, { ...question, query }, { ...request, filters })
  const said = keepMeant(found, (candidate) => {
    const isTold = candidate.row.source === 'hint' || isMatched(question, candidate)
    return isTold || isSaid(candidate)
  })
  return said.candidates.length > 0 ? said : keepMeant(await timeline(), isSaid)
}

async function readTimeline(
  needs: TimelineNeeds,
  { intent, explain }: { readonly intent: TemporalIntent; readonly explain: boolean },
  request: SearchRequest,
): Promise<Candidate[]> {
  const { search } = needs.memory
  const { readScope, filters, limit, asOf } = request
  // What is not a memory has none of the fields that a filter or a token's project could narrow.
  const isNarrow = search.hasFilter(filters) || filters.scope !== null || asOf !== undefined
  const narrowed = isNarrow || readScope.project !== null
  const [sessions, ...collected] = await Promise.all([
    listSessionFacts(needs, intent, request),
    search.listMemoryFacts(intent, request),
    narrowed ? [] : search.listOtherFacts(intent, { agentId: readScope.agentId, limit }),
    intent.facets.includes('captured') ? search.listCaptured(intent, request) : [],
  ])
  const happenings = [...sessions, ...collected.flat().map(toHappening)].toSorted(byRank)
  const once = new Map(happenings.toReversed().map((happening) => [keyOf(happening), happening]))
  return happenings
    .filter((happening) => once.get(keyOf(happening)) === happening)
    .map((happening) => ({ row: toTemporalRow(happening, explain), memory: happening.memory }))
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
