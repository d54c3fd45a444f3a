import type { SearchRequest } from '../memory/index.ts'
import { dropBeforeClause } from './answers/before-clause.ts'
import { type DirectSearchNeeds, mergeBest, searchDirect } from './direct-search.ts'
import type { RecallQuery } from './engine-search.ts'
import type { Scored } from './lexical-search.ts'
import type { GraphReading } from './needs.ts'

/** Without a direct hit, weaker evidence about another entity is no answer. */
const minAlone = 0.5
/** The share of an answer that is about another entity than the query names. */
const maxShare = 0.4

interface Read {
  readonly readings: readonly GraphReading[]
  readonly direct: readonly Scored[]
}

/** Adds what the readings of the query find to its direct hits. Without readings nothing changes. */
export async function addReadings(
  needs: DirectSearchNeeds,
  question: RecallQuery,
  { request, readings, direct }: Read & { readonly request: SearchRequest },
): Promise<readonly Scored[]> {
  if (readings.length === 0) return direct
  const found = await Promise.all(
    readings.map(async (reading) => {
      const searchText = dropBeforeClause(reading.text)
      const own = { ...question, query: reading.text, searchText, range: undefined }
      const { scored } = await searchDirect(needs, own, request)
      return scored.map((hit) => toRead(hit, reading))
    }),
  )
  const isSame = (at: number) => readings[at]?.share === 1
  const same = mergeBest(
    direct,
    found.flatMap((hits, at) => (isSame(at) ? hits : [])),
  )
  const others = found.flatMap((hits, at) => (isSame(at) ? [] : hits))
  return addOthers(same, others, request.limit)
}

function toRead(hit: Scored, { reason, share, text }: GraphReading): Scored {
  const score = share * hit.score
  return {
    ...hit,
    score,
    reading: text,
    stages: [...hit.stages, { name: 'reading', score, reason }],
  }
}

/** Hits about another entity are few, and never above the best that the query itself finds. */
function addOthers(
  direct: readonly Scored[],
  others: readonly Scored[],
  limit: number,
): readonly Scored[] {
  const best = direct.reduce((score, hit) => Math.max(score, hit.score), 0)
  const byId = new Map(direct.map((hit) => [hit.found.memory.id, hit]))
  const chosen = others
    .filter(({ score }) => direct.length > 0 || score >= minAlone)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, Math.floor(maxShare * limit))
  for (const hit of chosen) {
    const { id } = hit.found.memory
    const score = direct.length > 0 ? Math.min(hit.score, best) : hit.score
    const own = byId.get(id)
    // The reading names what the memory is about, even where the query itself scores it higher.
    const isBetter = score > (own?.score ?? 0)
    byId.set(id, own && !isBetter ? { ...own, reading: hit.reading } : { ...hit, score })
  }
  return [...byId.values()]
}
